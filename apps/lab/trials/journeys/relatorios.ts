import type { Api } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'
import type { Journey } from './harness/journey.ts'

/** Reads the report of a week, of another period, and takes a table as CSV. */
export const relatorios: Journey = {
  name: 'relatorios',
  async run({ page, base, withAlerta, login, enter, navigate, step }) {
    const guarded = await withAlerta()
    await step('report of the last days', async () => {
      await enter(guarded.admin)
      await navigate('Relatórios')
      await page.getByRole('heading', { name: 'Por câmera' }).waitFor()
      await page.getByText(/^Eventos em 7 dias: \d+/).waitFor()
      await page.getByRole('heading', { name: 'Dia a dia, ao lado do período anterior' }).waitFor()
      await page.getByRole('rowheader', { name: 'Invasão' }).waitFor()
    })
    await step('table as CSV', async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Baixar CSV: Por IA' }).click()
      const name = (await download).suggestedFilename()
      if (name !== 'relatorio-ia.csv') throw new Error(`the file is ${name}`)
    })
    await step('reviews beside verdicts', async () => {
      const evento = await unreviewed(guarded.admin.api)
      const review = { rotulo_humano: 'confirmado', revisor: 'Ana' }
      await guarded.admin.api.call('POST', `/events/${evento.id}/revisao`, review)
      await page.reload()
      await page.getByRole('heading', { name: 'A verificação e as pessoas' }).waitFor()
      await page.getByRole('columnheader', { name: 'Pode ser' }).waitFor()
    })
    await step('reviewed pictures', async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Baixar imagens e COCO JSON' }).click()
      const name = (await download).suggestedFilename()
      if (name !== 'vigia-treinamento.zip') throw new Error(`the file is ${name}`)
      // On a phone the link above is otherwise half below the bar of the navigation.
      await page.evaluate('scrollTo(0, 0)')
    })
    await step('bias of the reviews', async () => {
      const [camera] = await guarded.admin.api.get<{ id: number }[]>('/cameras')
      await page.goto(`${base}/cameras/${camera?.id}/o-que-vigia/sensibilidade`)
      await page.getByText(/^As revisões ainda não mudam a verificação: são precisas 30/).waitFor()
    })
    await step('reset of the bias', async () => {
      await page.getByRole('button', { name: 'Zerar o ajuste: Invasão' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Zerar' }).click()
      await page.getByText(/^As revisões ainda não mudam/).waitFor({ state: 'detached' })
    })
    await step('period without events', async () => {
      await navigate('Relatórios')

      await page.getByLabel('De', { exact: true }).fill('2020-01-01')
      await page.getByLabel('Até').fill('2020-01-31')
      await page.getByText('Nenhum evento neste período').waitFor()
      await page.waitForURL(/ate=2020-01-31/)
    })
    await step('refused to a vigilante', async () => {
      await enter(await login(guarded, 'vigilante'))
      await page.goto(`${base}/relatorios`)
      await page.getByText('Só o administrador da conta vê os relatórios.').waitFor()
    })
  },
}

/** Runs on other screens review events of the same camera. */
const unreviewed = (api: Api): Promise<{ readonly id: number }> =>
  waitFor(
    'an event with a verdict and without a review',
    async () => {
      for (const { id } of await api.get<{ id: number }[]>('/events?tipo=invasao&veredito=confirmado&limit=50')) {
        const evento = await api.get<{ id: number; revisao: unknown }>(`/events/${id}`)
        if (evento.revisao === null) return evento
      }
      return null
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )
