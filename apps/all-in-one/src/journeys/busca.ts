import type { Api } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'
import type { Journey } from './harness/journey.ts'

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
      await page.getByLabel('Palavras').fill('INVASAO pess')
      await page.waitForURL(/q=INVASAO/)
      await results.getByText('Invasão').first().waitFor()
    })
    await step('events by severity', async () => {
      await page.getByRole('link', { name: 'Eventos', exact: true }).click()
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
    await step('nothing with these filters', async () => {
      await page.goBack()
      await results.getByText('Invasão').first().waitFor()
      await page.getByLabel('Palavras').fill('zzz')
      await page.getByText('Nada com estes filtros').waitFor()
    })
    await step('the address holds the search', async () => {
      await page.goto(`${base}/busca?q=1234&de=2026-01-01&ia=fogo`)
      await page.getByText('Nada com estes filtros').waitFor()
      const words = await page.getByLabel('Palavras').inputValue()
      if (words !== '1234') throw new Error(`the words are ${words}`)
      await page.getByRole('button', { name: 'Limpar filtros' }).click()
      await results.getByText('Invasão').first().waitFor()
    })
  },
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
