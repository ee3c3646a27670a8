import type { Journey } from './harness/journey.ts'

/** Opens an alert, answers it, and filters the list. */
export const alertas: Journey = {
  name: 'alertas',
  async run({ page, withAlerta, account, enter, step }) {
    const empty = await account()
    await step('empty list', async () => {
      await enter(empty.admin)
      await page.getByText('Nenhuma câmera ainda').waitFor()
    })
    const guarded = await withAlerta()
    const alerta = page.getByRole('article').filter({ hasText: 'Confirmado' }).first()
    await step('list', async () => {
      await enter(guarded.admin)
      await alerta.getByText('Invasão').first().waitFor()
    })
    await step('alert', async () => {
      await alerta.getByRole('link').click()
      await page.getByText('Este alarme era verdadeiro?').waitFor()
    })
    await step('answered alert', async () => {
      await page.getByRole('button', { name: 'Sim, verdadeiro' }).click()
      await page.locator('button[aria-pressed="true"]', { hasText: 'Sim, verdadeiro' }).waitFor()
    })
    await step('filtered list', async () => {
      await page.getByRole('button', { name: 'Fechar' }).click()
      await page.getByLabel('Veredito').selectOption('Refutados')
      await page.waitForURL(/veredito=refutado/)
    })
  },
}
