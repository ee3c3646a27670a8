import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Creates canais, tests one, opens its deliveries and removes it. */
export const canais: Journey = {
  name: 'canais',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    const nome = `Guarita ${HOSTILE}`.slice(0, 80)
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('empty list', async () => {
      await navigate('Canais')
      await page.getByText('Nenhum canal ainda').waitFor()
    })
    await step('form with mistakes', async () => {
      await page.getByRole('button', { name: 'Criar canal' }).first().click()
      await dialog.getByLabel(/^Destinos/).fill('guarita')
      await dialog.getByLabel('Avisar a partir das').selectOption('22:00')
      await dialog.getByRole('button', { name: 'Criar canal' }).click()
      await dialog.getByText('Use endereços de e-mail').waitFor()
    })
    await step('new canal', async () => {
      await dialog.getByLabel('Nome').fill(nome)
      await dialog.getByLabel(/^Destinos/).fill('guarita@exemplo.com.br\nsindica@exemplo.com.br')
      await dialog.getByLabel('Avisar até').selectOption('6:00')
      await dialog.getByRole('button', { name: 'Criar canal' }).click()
      await page.getByText('Das 22 h às 6 h').waitFor()
    })
    await step('refused test', async () => {
      await page.getByRole('button', { name: /^Testar Guarita/ }).click()
      // No mail server is configured here.
      await page
        .getByRole('article')
        .getByText(/e-mail/i)
        .nth(1)
        .waitFor()
    })
    await step('deliveries', async () => {
      await page.getByRole('link', { name: /^Entregas de Guarita/ }).click()
      await page.getByText('Nenhuma entrega aqui').waitFor()
    })
    await step('webhook with its secret, shown once', async () => {
      await page.getByRole('link', { name: 'Ver canais' }).click()
      await page.getByRole('button', { name: 'Criar canal' }).click()
      await dialog.getByLabel('Nome').fill('ERP')
      await dialog.getByLabel('Como avisar').selectOption('Sistema (webhook)')
      await dialog.getByLabel(/^Destinos/).fill('https://exemplo.com.br/vigia')
      await dialog.getByRole('button', { name: 'Criar canal' }).click()
      await page.getByLabel('Segredo do webhook', { exact: true }).waitFor()
    })
    await step('disabled canal', async () => {
      await page.getByRole('button', { name: 'Já guardei' }).click()
      const active = page.getByRole('switch', { name: 'Ligado: ERP' })
      await active.click()
      await page.getByRole('article', { name: 'ERP' }).and(page.locator(':has(input:not(:checked))')).waitFor()
    })
    await step('removed canal', async () => {
      await page.getByRole('button', { name: 'Remover ERP' }).click()
      await dialog.getByRole('button', { name: 'Remover' }).click()
      await page.getByRole('article', { name: 'ERP' }).waitFor({ state: 'detached' })
    })
  },
}
