import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Creates a chave, which is shown once, and deletes it. */
export const chaves: Journey = {
  name: 'chaves',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    const nome = `ERP ${HOSTILE}`.slice(0, 100)
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('empty list', async () => {
      await navigate('Chaves')
      await page.getByText('Nenhuma chave ainda').waitFor()
    })
    await step('form with a mistake', async () => {
      await page.getByRole('button', { name: 'Criar chave' }).first().click()
      await dialog.getByRole('button', { name: 'Criar chave' }).click()
      await dialog.getByText('Dê um nome').waitFor()
    })
    await step('chave, shown once', async () => {
      await dialog.getByLabel('Nome').fill(nome)
      await dialog.getByRole('button', { name: 'Criar chave' }).click()
      await page.getByLabel('Chave de integração', { exact: true }).waitFor()
    })
    await step('list', async () => {
      await page.getByRole('button', { name: 'Já guardei' }).click()
      await page.getByText('Só lê').waitFor()
    })
    await step('deleted chave', async () => {
      await page.getByRole('button', { name: /^Apagar a chave/ }).click()
      await dialog.getByRole('button', { name: 'Apagar' }).click()
      await page.getByText('Nenhuma chave ainda').waitFor()
    })
  },
}
