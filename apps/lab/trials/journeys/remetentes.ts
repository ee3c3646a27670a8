import type { Journey } from './harness/journey.ts'

/** Sets a sender, tests it, and removes it. */
export const remetentes: Journey = {
  name: 'remetentes',
  async run({ page, operator, account, enter, navigate, step }) {
    const own = await account()
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('only for the operator', async () => {
      await page.goto(new URL('/remetentes', page.url()).href)
      await page.getByText('Só o operador da instalação vê os remetentes.').waitFor()
    })
    await enter(operator)
    await step('senders without settings', async () => {
      await navigate('Canais')
      await page.getByRole('link', { name: 'Remetentes' }).click()
      await page.getByText('Não configurado.').first().waitFor()
    })
    await step('form with mistakes', async () => {
      await page.getByRole('button', { name: 'Mudar E-mail' }).click()
      await dialog.getByLabel('Endereço de quem envia').fill('alertas')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByLabel('Endereço de quem envia').and(page.locator('[aria-invalid=true]')).waitFor()
    })
    await step('saved sender', async () => {
      await dialog.getByLabel('Servidor').fill('127.0.0.1')
      // Port 9 (discard): nobody listens.
      await dialog.getByLabel('Porta').fill('9')
      await dialog.getByLabel('Endereço de quem envia').fill('alertas@exemplo.com.br')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Definido nesta página.').waitFor()
    })
    await step('refused test', async () => {
      await page.getByRole('button', { name: 'Testar E-mail' }).click()
      await dialog.getByLabel('Para onde vai o teste').fill('guarita@exemplo.com.br')
      await dialog.getByRole('button', { name: 'Enviar teste' }).click()
      await dialog.getByText('ECONNREFUSED').waitFor()
    })
    await step('removed sender', async () => {
      await dialog.getByRole('button', { name: 'Cancelar' }).click()
      await page.getByRole('button', { name: 'Apagar E-mail' }).click()
      await dialog.getByRole('button', { name: 'Apagar' }).click()
      await page.getByText('Definido nesta página.').waitFor({ state: 'detached' })
    })
  },
}
