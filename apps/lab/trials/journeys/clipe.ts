import { fileURLToPath } from 'node:url'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import type { Journey } from './harness/journey.ts'
import { withClip } from './harness/stored-clip.ts'

const H265 = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-c-h265.mp4', import.meta.url))

/** Mean of the colour values of the shown picture. A black picture has 0. */
const BRIGHTNESS = `(() => {
  const g = new OffscreenCanvas(16, 9).getContext('2d')
  g.drawImage(document.querySelector('video'), 0, 0, 16, 9)
  const { data } = g.getImageData(0, 0, 16, 9)
  return data.reduce((sum, value, at) => (at % 4 === 3 ? sum : sum + value), 0) / (16 * 9 * 3)
})()`
const BLACK = 10

/** The cloud encodes the copy, on the machine of the browser. */
const COPIED = { timeout: 120_000 }

/** Plays a clip in H.265 in a browser that has no decoder for it. */
export const clipe: Journey = {
  name: 'clipe',
  // The answer for a copy that waits for the package.
  expected: [/status of 503 .*clip\?formato=h264/],
  async run({ page, base, account, enter, step }) {
    const recorder = await startRecorder({ canais: [H265] })
    try {
      const own = await account()
      const { api } = own.admin
      await api.call('POST', '/cameras', { nome: 'Pátio', rtsp_url: recorder.url(1) })
      const { id, clip_deslocamento_ms } = await withClip(api)
      const position = () => page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0")
      await enter(own.admin)
      await step('clip in H.265, which plays as an H.264 copy', async () => {
        await page.goto(`${base}/eventos/${id}`)
        await page.getByText(/^Cópia menor, em H.264/).waitFor(COPIED)
        const start = clip_deslocamento_ms / 1000
        await waitFor('the picture of the event', async () => Math.abs((await position()) - start) < 0.1)
        await page.evaluate("void document.querySelector('video').play()")
        await waitFor('the clip to play', async () => (await position()) > start + 1)
        const brightness = await page.evaluate<number>(BRIGHTNESS)
        if (brightness < BLACK) throw new Error(`the picture is black: ${brightness}`)
        await page.evaluate("void document.querySelector('video').pause()")
      })
      // The answer of the cloud before the copy exists; only its form is repeated here.
      await step('copy that is being made', async () => {
        const detail = 'O servidor está fazendo uma cópia deste clipe em H.264.'
        await page.route(/clip\?formato=h264/, (route) =>
          route.fulfill({ status: 202, json: { clip_estado: 'guardado', clip_detalhe: detail } }),
        )
        await page.reload()
        await page.getByText(/O servidor está fazendo uma cópia do clipe/).waitFor()
        await page.unroute(/clip\?formato=h264/)
        await page.getByText(/^Cópia menor, em H.264/).waitFor(COPIED)
      })
      await step('copy that waits for the package that decodes video', async () => {
        const detail = 'Falta no servidor o pacote de vídeo (node-av), que faz as cópias em H.264.'
        await page.route(/clip\?formato=h264/, (route) => route.fulfill({ status: 503, json: { detail } }))
        await page.reload()
        const reason = page.getByRole('alert').filter({ hasText: detail })
        await reason.getByRole('link', { name: 'Baixar' }).waitFor()
        await page.unroute(/clip\?formato=h264/)
      })
    } finally {
      await recorder.close()
    }
  },
}
