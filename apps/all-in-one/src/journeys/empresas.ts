import type { Journey } from './harness/journey.ts'

/** Shows the limits of the own Empresa and changes those of one below it. */
export const empresas: Journey = {
  name: 'empresas',
  async run({ page, account, enter, navigate, step, unique }) {
    const own = await account()
    const filha = unique('Filial')
    await own.admin.api.call('POST', '/empresas', { nome: filha })
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('list', async () => {
      await navigate('Empresas')
      await page.getByRole('article', { name: filha }).waitFor()
    })
    await step('form with a mistake', async () => {
      await page.getByRole('button', { name: `Mudar limites de ${filha}` }).click()
      await dialog.getByLabel('Limite de câmeras').fill('dez')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText('Informe um número inteiro de 0 a 100000.').waitFor()
    })
    await step('saved limit', async () => {
      await dialog.getByLabel('Limite de câmeras').fill('3')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('article', { name: filha }).getByText('0 de 3').waitFor()
    })
    await step('search', async () => {
      await page.getByLabel('Procurar pelo nome').fill(filha)
      await page.getByRole('article', { name: own.nome }).waitFor({ state: 'detached' })
    })
  },
}
