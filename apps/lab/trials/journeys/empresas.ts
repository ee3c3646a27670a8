import { type Journey, PASSWORD } from './harness/journey.ts'

/** Shows the limits of the own Empresa, and adds, changes and removes one below it. */
export const empresas: Journey = {
  name: 'empresas',
  // The wrong password, and the refused networks.
  expected: [/status of 422/],
  async run({ page, account, operator, enter, navigate, step, unique }) {
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
    const nova = unique('Loja nova')
    await step('form of a new Empresa', async () => {
      await page.getByRole('button', { name: 'Adicionar Empresa' }).click()
      await dialog.getByLabel('Nome').fill(nova)
      await dialog.getByLabel('Fuso horário').selectOption('Manaus')
    })
    await step('new Empresa below the own one', async () => {
      await dialog.getByRole('button', { name: 'Adicionar' }).click()
      const card = page.getByRole('article', { name: nova })
      await card.getByText(`Abaixo de ${own.nome}`).waitFor()
      await card.getByText('Fuso horário: Manaus').waitFor()
    })
    await step('changed time zone', async () => {
      await page.getByRole('button', { name: `Mudar dados de ${nova}` }).click()
      await dialog.getByLabel('Fuso horário').selectOption('Acre')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await page.getByRole('article', { name: nova }).getByText('Fuso horário: Acre').waitFor()
    })
    await step('removal with a wrong password', async () => {
      await page.getByRole('button', { name: `Remover ${nova}` }).click()
      await dialog.getByLabel('Sua senha').fill('errada')
      await dialog.getByRole('button', { name: 'Remover para sempre' }).click()
      await dialog.getByText('Senha incorreta').waitFor()
    })
    await step('removed Empresa', async () => {
      await dialog.getByLabel('Sua senha').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Remover para sempre' }).click()
      await page.getByRole('article', { name: nova }).waitFor({ state: 'detached' })
    })
    await step('search', async () => {
      await page.getByLabel('Procurar pelo nome').fill(filha)
      await page.getByRole('article', { name: own.nome }).waitFor({ state: 'detached' })
    })
    await step('refused networks of the canais, as the operator', async () => {
      await enter(operator)
      await navigate('Empresas')
      await page.getByLabel('Procurar pelo nome').fill(filha)
      await page.getByRole('button', { name: `Mudar dados de ${filha}` }).click()
      await dialog.getByLabel(/^Redes privadas dos canais/).fill('127.0.0.0/8')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText(/^Use uma rede privada/).waitFor()
    })
    await step('saved networks of the canais', async () => {
      await dialog.getByLabel(/^Redes privadas dos canais/).fill('192.168.7.0/24')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.waitFor({ state: 'detached' })
      const all = await operator.api.get<{ nome: string; redes_permitidas: string[] }[]>('/empresas')
      const networks = all.find(({ nome }) => nome === filha)?.redes_permitidas.join()
      if (networks !== '192.168.7.0/24') throw new Error(`the networks are ${networks}`)
    })
  },
}
