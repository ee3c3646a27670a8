import { signIn } from '@vigia/testing/api'
import { type Journey, PASSWORD } from './harness/journey.ts'

/** A central watches two of many customers: chooses one by the keyboard, and gets one less while it watches. */
export const central: Journey = {
  name: 'central',
  async run({ page, base, account, withAlerta, operator, enter, navigate, step, unique }) {
    const [guarded, quiet, own] = [await withAlerta(), await account(), await account()]
    const username = unique('central').replace(' ', '-')
    const { id } = await operator.api.call<{ id: number }>('POST', '/usuarios', {
      username,
      senha: PASSWORD,
      papel: 'vigilante',
      empresa_id: own.empresaId,
      alcance: [guarded.empresaId, quiet.empresaId],
    })
    const chooser = page.getByRole('banner').getByRole('combobox', { name: 'Empresa' })
    await step('page of a central', async () => {
      await enter({ username, api: await signIn(base, username, PASSWORD) })
      await chooser.waitFor()
    })
    await step('customer by the keyboard', async () => {
      await chooser.focus()
      await page.keyboard.type(guarded.nome)
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`empresa=${guarded.empresaId}`))
    })
    await step('favourite, which stands first', async () => {
      await page.getByRole('button', { name: `Favorita: ${guarded.nome}` }).click()
      await chooser.press('ArrowDown')
      await page.getByRole('option').nth(1).getByText('favorita').waitFor()
      await chooser.press('Escape')
    })
    await step('cameras of the customer', async () => {
      await navigate('Câmeras')
      await page
        .getByRole('main')
        .getByText(/Campus/)
        .first()
        .waitFor()
    })
    await step('day of the customer', async () => {
      await navigate('Linha do tempo')
      await page
        .getByRole('main')
        .getByText(/incidente/)
        .first()
        .waitFor()
    })
    await step('reach of the login, for the operator', async () => {
      await enter(operator)
      await navigate('Pessoas')
      await page.getByLabel('Procurar por nome').fill(username)
      await page.getByRole('button', { name: `Mudar alcance: ${username}` }).click()
      await page.getByRole('button', { name: `Tirar ${guarded.nome} da lista` }).click()
    })
    await step('smaller reach', async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.getByRole('cell', { name: quiet.nome }).first().waitFor()
    })
    const [login] = (await operator.api.get<{ id: number; alcance: unknown }[]>('/usuarios')).filter(
      (one) => one.id === id,
    )
    if (JSON.stringify(login?.alcance) !== JSON.stringify([quiet.empresaId])) throw new Error('the reach is unchanged')
  },
}
