import type { Journey } from './harness/journey.ts'

/** Switches the external verifier of an Empresa on and off, and changes its limit of calls. */
export const verificadorExterno: Journey = {
  name: 'verificador-externo',
  async run({ page, operator, account, login, enter, navigate, step }) {
    const own = await account()
    const dialog = page.getByRole('dialog')
    const card = page.getByRole('article', { name: own.nome })
    await enter(own.admin)
    await step('external verifier that is off', async () => {
      await navigate('Empresas')
      await page.getByRole('link', { name: 'Verificador externo' }).click()
      await card.getByText('Desligado').waitFor()
    })
    await step('question before pictures leave', async () => {
      await card.getByRole('button', { name: 'Ligar' }).click()
      await dialog.getByText('Quem opera esse serviço recebe imagens de pessoas').waitFor()
    })
    await step('external verifier that is on', async () => {
      await dialog.getByRole('button', { name: 'Ligar', exact: true }).click()
      await card.getByText('Ligado', { exact: true }).waitFor()
    })
    await step('use of a month with an error', async () => {
      await page.route('**/api/v1/verificador-externo*', async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        Object.assign(body.empresas[0], {
          chamadas: 1_000,
          esgotado: true,
          sem_resposta: 7,
          tokens_entrada: 912_345,
          tokens_saida: 25_000,
          preco: 0.1519,
          ultimo_erro: {
            codigo: 'tempo',
            em: new Date().toISOString(),
            frase: 'O serviço não respondeu a tempo.',
          },
        })
        await route.fulfill({ response: answer, json: body })
      })
      await page.reload()
      await card.getByText('O limite deste mês acabou.').waitFor()
      await card.getByText('O serviço não respondeu a tempo.').waitFor()
      await page.unroute('**/api/v1/verificador-externo*')
    })
    await step('only for administrators', async () => {
      await enter(await login(own, 'vigilante'))
      await page.goto(new URL('/verificador-externo', page.url()).href)
      await page.getByText('Só o administrador da conta vê o verificador externo.').waitFor()
    })
    await enter(operator)
    await page.goto(new URL(`/verificador-externo?empresa=${own.empresaId}`, page.url()).href)
    await step('form of the limit with a mistake', async () => {
      await card.getByRole('button', { name: 'Mudar limite' }).click()
      await dialog.getByLabel('Chamadas por mês').fill('mil')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.getByText('Informe um número inteiro de 0 a 10000000').waitFor()
    })
    await step('changed limit', async () => {
      await dialog.getByLabel('Chamadas por mês').fill('250')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await card.getByText('0 de 250').waitFor()
    })
    await step('switched off by the operator', async () => {
      await card.getByRole('button', { name: 'Desligar' }).click()
      await dialog.getByRole('button', { name: 'Desligar', exact: true }).click()
      await card.getByText('Desligado').waitFor()
      await card.getByText('Só um administrador da própria Empresa liga.').waitFor()
    })
    await step('installation without an external verifier', async () => {
      await page.route('**/api/v1/verificador-externo*', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), servico: null } })
      })
      await page.reload()
      await page.getByText('Nenhum verificador externo configurado').waitFor()
      await page.unroute('**/api/v1/verificador-externo*')
    })
  },
}
