import { readFile, rm } from 'node:fs/promises'
import type { Api } from '@vigia/testing/api'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { unzipInto } from '@vigia/testing/unzip'
import { waitFor } from '@vigia/testing/wait'
import type { Download, Page } from 'playwright-core'
import type { Journey } from './harness/journey.ts'
import { withClip } from './harness/stored-clip.ts'

/** Finds an incidente by words, narrows the search, and shares its address. */
export const busca: Journey = {
  name: 'busca',
  async run({ page, base, withAlerta, account, enter, navigate, step }) {
    const empty = await account()
    await step('nothing yet', async () => {
      await enter(empty.admin)
      await navigate('Busca')
      await page.getByText('Nada por aqui ainda').waitFor()
    })
    const guarded = await withAlerta()
    const results = page.getByRole('list', { name: 'Resultados' })
    await step('all incidentes', async () => {
      await enter(guarded.admin)
      await navigate('Busca')
      await results.getByText('Invasão').first().waitFor()
    })
    await step('words without accents', async () => {
      await page.getByLabel('O que procurar').fill('INVASAO pess')
      await page.waitForURL(/q=INVASAO/)
      await results.getByText('Invasão').first().waitFor()
    })
    await step('a sentence, its chips, and the passages of a colour', async () => {
      const words = page.getByLabel('O que procurar')
      const understood = page.getByRole('list', { name: 'O que a busca entendeu' })
      await words.fill('invasão nos últimos 2 dias sem nota')
      await understood.getByRole('button', { name: 'IA: Invasão' }).waitFor()
      await understood.getByRole('button', { name: 'Sem nota', exact: true }).waitFor()
      await results.getByText('Invasão').first().waitFor()
      await understood.getByRole('button', { name: /^Dia:/ }).click()
      await page.waitForURL(/de=\d{4}-\d\d-\d\d/)
      await waitFor('the field of the day', () =>
        page.getByLabel('De', { exact: true }).evaluate((field) => field.matches(':focus')),
      )
      await understood.getByRole('button', { name: 'Tirar Invasão' }).click()
      await waitFor('a shorter sentence', async () => (await words.inputValue()) === 'sem nota')
      await words.fill('carro branco hoje')
      await page.getByRole('link', { name: 'Ver em Passagens' }).click()
      await page.waitForURL(/passagens\?.*cor=branco/)
      await navigate('Busca')
    })
    await step('filters of hour, certainty and note', async () => {
      await page.goto(`${base}/busca?das=00:00&antes=23:59&nota=sem`)
      await results.getByText('Invasão').first().waitFor()
      await page.getByLabel('Nota', { exact: true }).selectOption('Com nota')
      await page.waitForURL(/nota=com/)
      await page.getByText('Nada com estes filtros').waitFor()
      await page.getByLabel('Nota', { exact: true }).selectOption('Sem nota')
      await results.getByText('Invasão').first().waitFor()
      const { itens } = await guarded.admin.api.get<{ itens: { certeza: string }[] }>('/busca/incidentes')
      const [own, other] = itens[0]?.certeza === 'baixa' ? ['Baixa', 'Alta'] : ['Alta', 'Baixa']
      await page.getByLabel('Certeza', { exact: true }).selectOption(other)
      await page.getByText('Nada com estes filtros').waitFor()
      await page.getByLabel('Certeza', { exact: true }).selectOption(own)
      await results.getByText('Invasão').first().waitFor()
      await page.getByRole('button', { name: 'Limpar filtros' }).click()
      await results.getByText('Invasão').first().waitFor()
    })
    await step('events by severity', async () => {
      await page.getByRole('link', { name: 'Eventos', exact: true }).click()
      const chosen = page.getByRole('navigation', { name: 'Procurar em' }).locator('[aria-current="page"]')
      await waitFor('one chosen kind', async () => (await chosen.allInnerTexts()).join() === 'Eventos')
      await page.getByText('Mais filtros').click()
      await page.getByLabel('Gravidade').selectOption('Alta')
      await page.waitForURL(/gravidade=alta/)
      await results.getByText('Invasão').first().waitFor()
    })
    await step('event of a result, by keyboard, and its archive', async () => {
      await results.getByRole('link').first().focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/eventos\/\d+/)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Exportar' }).click()
      const name = (await download).suggestedFilename()
      if (!/^vigia-evento-\d+\.zip$/.test(name)) throw new Error(`the file is ${name}`)
      await page.goBack()
      await results.getByText('Invasão').first().waitFor()
    })
    await step('words and further pictures of an event', async () => {
      const { id } = await withPictures(guarded.admin.api)
      await page.goto(`${base}/eventos/${id}`)
      await page.getByText(/^(Confirmado|Pode ser pessoa – confira)/).waitFor()
      await page.getByRole('list', { name: 'Outras imagens' }).getByRole('img').first().waitFor()
    })
    await step('pictures of any shape, in results and in an event', async () => {
      const event = page.url()
      for (const [width, height] of WIDE_AND_TALL) {
        const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
        await page.route(/\/crops\//, (route) => route.fulfill({ contentType: 'image/svg+xml', body }))
        await page.goto(event)
        await keepShape(page, 'ul[aria-label="Outras imagens"] img')
        await page.goto(`${base}/busca`)
        await keepShape(page, 'ul[aria-label="Resultados"] img')
        await page.unroute(/\/crops\//)
      }
      await page.goto(event)
    })
    await step('clip of an event, which opens at the event and plays', async () => {
      const { id, clip_deslocamento_ms } = await withClip(guarded.admin.api)
      await page.goto(`${base}/eventos/${id}`)
      await page.getByLabel(/^Clipe da câmera/).waitFor()
      const position = () => page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0")
      const start = clip_deslocamento_ms / 1000
      await waitFor('the picture of the event', async () => Math.abs((await position()) - start) < 0.05)
      await page.evaluate("void document.querySelector('video').play()")
      await waitFor('the clip to play', async () => (await position()) > start + 0.5)
      await page.evaluate("void document.querySelector('video').pause()")
      const strip = page.getByRole('slider', { name: 'Posição no clipe' })
      await strip.focus()
      await page.keyboard.press('Home')
      await waitFor('the begin of the clip', async () => (await position()) === 0)
      await strip.hover({ position: { x: 200, y: 10 } })
      await strip.hover({ position: { x: 220, y: 10 } })
      await waitFor('the preview', async () => (await position()) > 0.5)
      await page.mouse.move(0, 0)
      await waitFor('the end of the preview', async () => (await position()) === 0)
      await page.getByRole('radio', { name: '0,5×' }).focus()
      await page.keyboard.press('Space')
      await waitFor('the speed', () => page.evaluate<boolean>("document.querySelector('video').playbackRate === 0.5"))
    })
    await step('archive of the event, which opens without a network', async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Exportar' }).click()
      await opensOffline(page, await download)
    })
    await step('clip in the page of the incidente', async () => {
      await page.getByRole('link', { name: 'Ver o incidente' }).click()
      await page.getByRole('region', { name: 'Clipe' }).waitFor()
    })
    await step('nothing with these filters', async () => {
      await page.goto(`${base}/busca?em=eventos`)
      await results
        .getByText(/Com clipe/)
        .first()
        .waitFor()
      await page.getByLabel('O que procurar').fill('zzz')
      await page.getByText('Nada com estes filtros').waitFor()
    })
    await step('the address holds the search', async () => {
      await page.goto(`${base}/busca?q=1234&de=2026-01-01&ia=fogo`)
      await page.getByText('Nada com estes filtros').waitFor()
      const words = await page.getByLabel('O que procurar').inputValue()
      if (words !== '1234') throw new Error(`the words are ${words}`)
      await page.getByRole('button', { name: 'Limpar filtros' }).click()
      await results.getByText('Invasão').first().waitFor()
    })
  },
}

/** A train, and a person far away, px. */
const WIDE_AND_TALL = [
  [2400, 100],
  [60, 600],
] as const

/** Waits until each of these pictures is whole, in its own shape, on the ground of pictures. */
async function keepShape(page: Page, selector: string): Promise<void> {
  const isWhole = `[...document.querySelectorAll('${selector}')].map((image) => {
    const { naturalWidth, naturalHeight, clientWidth, clientHeight } = image
    const ground = document.createElement('i')
    ground.style.background = 'var(--v-picture)'
    document.body.append(ground)
    const wanted = getComputedStyle(ground).backgroundColor
    ground.remove()
    const { objectFit } = getComputedStyle(image)
    const isFitted = objectFit === 'contain'
      || Math.abs(clientWidth / clientHeight / (naturalWidth / naturalHeight) - 1) < 0.02
    const grounds = [image, image.parentElement].map((one) => getComputedStyle(one).backgroundColor)
    return naturalWidth > 0 && isFitted && grounds.includes(wanted)
  })`
  await waitFor(`whole pictures: ${selector}`, async () => {
    const whole = await page.evaluate<boolean[]>(isWhole)
    return whole.length > 0 && whole.every(Boolean)
  })
}

/** The newest confirmed event whose further pictures have arrived. */
const withPictures = (api: Api): Promise<{ readonly id: number }> =>
  waitFor(
    'further pictures of an event',
    async () => {
      for (const { id } of await api.get<{ id: number }[]>('/events?veredito=confirmado&tipo=invasao&limit=20')) {
        const evento = await api.get<{ id: number; evidencias: readonly unknown[] }>(`/events/${id}`)
        if (evento.evidencias.length > 0) return evento
      }
      return null
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )

/** Unpacks the archive, and waits until its page shows the pictures and the clip in a browser without a network. */
async function opensOffline(page: Page, download: Download): Promise<void> {
  const folder = temporaryFolder('vigia-archive-')
  const context = await page.context().browser()?.newContext({ offline: true })
  try {
    await unzipInto(folder, await readFile(await download.path()))
    const offline = await context?.newPage()
    await offline?.goto(`file://${folder}/evento.html`)
    const loaded = `[...document.images].length > 1 && [...document.images].every((image) => image.naturalWidth > 0)
      && document.querySelector('video').readyState > 0 && document.querySelector('video').currentTime > 0`
    await waitFor('the page of the archive', async () => offline?.evaluate<boolean>(loaded))
  } finally {
    await context?.close()
    await rm(folder, { recursive: true, force: true })
  }
}
