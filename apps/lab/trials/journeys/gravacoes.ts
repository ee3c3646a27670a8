import { waitFor } from '@vigia/testing/wait'
import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** The recorder plays a part in its own time, with some seconds on both sides. */
const PLAYED_MS = 90_000

/**
 * Fetches parts of a camera's archive from the recorder: one is watched and deleted, another one cancelled. The bar of
 * the day chooses a part, and plays what was fetched.
 */
export const gravacoes: Journey = {
  name: 'gravacoes',
  async run({ page, base, operator, recorder, account, login, enter, step }) {
    const own = await account()
    await waitFor('the edge', async () =>
      (await operator.api.get<{ status: string }[]>('/edges')).some(({ status }) => status === 'online'),
    )
    const sources = { rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') }
    const doca = { nome: `Doca ${HOSTILE}`, ...sources, eventos_habilitados: [] }
    const { id } = await own.admin.api.call<{ id: number }>('POST', '/cameras', doca)
    const recordings = page.getByRole('list', { name: 'Gravações do gravador' }).getByRole('listitem')
    await step('no recording yet', async () => {
      await enter(await login(own, 'vigilante'))
      await page.goto(`${base}/cameras/${id}/eventos`)
      await page.getByRole('link', { name: 'Gravações', exact: true }).click()
      await page.getByText('Nenhuma gravação foi buscada nos últimos 7 dias.').waitFor()
    })
    await step('bar of the day, by keyboard and by click', async () => {
      await page.getByRole('button', { name: 'Ver o que está gravado' }).click()
      const start = page.getByRole('slider', { name: 'Começo do trecho' })
      await start.waitFor()
      await start.press('Home')
      const shown = () => page.getByLabel('Hora').inputValue()
      await waitFor('midnight in the form', async () => (await shown()).startsWith('00:00'))
      await start.press('ArrowRight')
      await waitFor('the next minute', async () => (await shown()).startsWith('00:01'))
      for (let press = 0; press < 10; press++) await start.press('+')
      const minutes = page.getByLabel('Duração')
      await start.press('Shift+ArrowRight')
      await waitFor('two minutes', async () => (await minutes.inputValue()) === '2')
      await start.hover()
      const box = (await start.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      await page.mouse.move(box.x + box.width * 0.3, box.y + 5)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.8, box.y + 5, { steps: 4 })
      await page.mouse.up()
      await waitFor('three minutes', async () => (await minutes.inputValue()) === '3')
      await page.getByRole('button', { name: 'Dia inteiro' }).click()
      await page.getByText(/trechos? gravados?$/).click()
      await page
        .getByText(/até \d\d:\d\d \(Gravador\)/)
        .first()
        .waitFor()
    })
    const begun = Date.now() - 120_000
    const short = { inicio: new Date(begun).toISOString(), fim: new Date(begun + 1_000).toISOString() }
    const { id: shortId } = await own.admin.api.call<{ id: number }>('POST', `/cameras/${id}/gravacoes`, short)
    await step('a request without a time', async () => {
      await page.getByLabel('Hora').fill('')
      await page.getByRole('button', { name: 'Buscar no gravador' }).click()
      await page.getByText('Escolha o dia e a hora.').waitFor()
    })
    await step('second request waits behind the first', async () => {
      await page.goto(`${base}/cameras/${id}/gravacoes?em=${new Date(begun).toISOString()}`)
      await page.getByRole('button', { name: 'Buscar no gravador' }).click()
      await page.waitForURL(/eventos\/gravacoes\?em=/)
      await recordings.first().getByText('Na fila').waitFor()
      await recordings.last().getByText('O gravador está reproduzindo').waitFor({ timeout: PLAYED_MS })
    })
    await step('cancelled request', async () => {
      await recordings.first().getByRole('button', { name: 'Cancelar' }).click()
      await page.getByText('Busca cancelada.').waitFor()
      await waitFor('one recording', async () => (await recordings.count()) === 1)
    })
    const video = page.getByLabel(/^Clipe da câmera Doca/)
    const plays = async () => {
      await video.waitFor({ timeout: PLAYED_MS })
      const played = () =>
        video.evaluate((element) => (element as unknown as { played: { length: number } }).played.length)
      await waitFor('the video to play', async () => (await played()) > 0)
    }
    await step('recording that plays by itself as soon as it is there', async () => {
      await page.goto(`${base}/cameras/${id}/eventos/gravacoes?assistir=${shortId}`)
      await plays()
    })
    await step('recording that is watched', async () => {
      await page.goto(`${base}/cameras/${id}/eventos/gravacoes`)
      await recordings.getByRole('button', { name: 'Assistir' }).click()
      await video.evaluate((element) => (element as unknown as { play(): Promise<void> }).play())
      await plays()
    })
    await step('recording that the bar plays', async () => {
      await page.goto(`${base}/cameras/${id}/eventos/gravacoes?em=${new Date(begun).toISOString()}`)
      await page.getByRole('button', { name: 'Ver o que está gravado' }).click()
      await page.getByText('Já buscado: o clique reproduz').waitFor()
      await page.getByRole('slider', { name: 'Começo do trecho' }).press('Enter')
      await plays()
      if ((await recordings.count()) !== 1) throw new Error('the recorder was asked again')
    })
    await step('click on a recorded part that was not fetched', async () => {
      const em = new Date(begun - 20 * 60_000).toISOString()
      await page.goto(`${base}/cameras/${id}/eventos/gravacoes?em=${em}`)
      await page.getByRole('button', { name: 'Ver o que está gravado' }).click()
      await page.getByText('Toque no que está gravado para assistir dali.').waitFor()
      await page.getByRole('slider', { name: 'Começo do trecho' }).press('Enter')
      await page.waitForURL(/assistir=/)
      await page.getByText('Carregando do gravador…').waitFor()
      await recordings.first().getByRole('button', { name: 'Cancelar' }).click()
      await waitFor('one recording', async () => (await recordings.count()) === 1)
    })
    await step('a usuario reads the list', async () => {
      await enter(await login(own, 'usuario'))
      await page.goto(`${base}/cameras/${id}/eventos/gravacoes`)
      await recordings.getByRole('link', { name: 'Baixar' }).waitFor()
      await page.getByRole('button', { name: 'Ver o que está gravado' }).click()
      await page.getByText(/trechos? gravados?$/).waitFor()
      if (await page.getByRole('button', { name: 'Buscar no gravador' }).isVisible())
        throw new Error('a usuario may fetch recordings')
    })
    await step('deleted recording', async () => {
      await enter(own.admin)
      await page.goto(`${base}/cameras/${id}/eventos/gravacoes`)
      await recordings.getByRole('button', { name: 'Apagar' }).click()
      await page.getByText('Nenhuma gravação foi buscada nos últimos 7 dias.').waitFor()
    })
  },
}
