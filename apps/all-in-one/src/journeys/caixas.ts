import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Adds an edge, reads its code once, renames it and removes it. */
export const caixas: Journey = {
  name: 'caixas',
  async run({ page, account, enter, navigate, step }) {
    const own = await account()
    const nome = `Portaria ${HOSTILE}`
    const dialog = page.getByRole('dialog')
    await enter(own.admin)
    await step('empty list', async () => {
      await navigate('Caixas')
      await page.getByText('Nenhuma caixa ainda').waitFor()
    })
    await step('form', async () => {
      await page.getByRole('link', { name: 'Adicionar caixa' }).first().click()
      await page.getByRole('textbox', { name: 'Nome' }).fill(nome)
    })
    let code = ''
    await step('code, shown once', async () => {
      await page.getByRole('button', { name: 'Adicionar e gerar o código' }).click()
      code = (await page.getByLabel('Código de ativação', { exact: true }).textContent()) ?? ''
      if (!/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/.test(code)) throw new Error(`not a code: ${code}`)
      await page.getByRole('img', { name: /^Código QR/ }).waitFor()
      await page.getByText(/só funciona neste computador/).waitFor()
      await page.getByText(/Esperando o código ser digitado na caixa/).waitFor()
    })
    const card = page.getByRole('article', { name: nome })
    await step('edge that has not been activated', async () => {
      await navigate('Caixas')
      await card.getByText('Aguardando', { exact: true }).waitFor()
      if ((await page.content()).includes(code)) throw new Error('the code is still in the page')
    })
    await step('edge with a limit', async () => {
      await card.getByRole('button', { name: /^Editar/ }).click()
      await dialog.getByLabel(/^Limite de reenvio/).fill('512')
      await dialog.getByRole('button', { name: 'Salvar' }).click()
      await dialog.waitFor({ state: 'detached' })
      const edges = await own.admin.api.get<{ nome: string; limite_reenvio_kbps: number | null }[]>('/edges')
      if (edges.find((edge) => edge.nome === nome)?.limite_reenvio_kbps !== 512) throw new Error('no limit stored')
    })
    await step('removed edge', async () => {
      await card.getByRole('button', { name: /^Remover/ }).click()
      await dialog.getByRole('button', { name: 'Remover caixa' }).click()
      await page.getByText('Nenhuma caixa ainda').waitFor()
    })
  },
}
