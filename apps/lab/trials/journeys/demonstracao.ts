import { HOSTILE } from './harness/hostile.ts'
import type { Journey } from './harness/journey.ts'

/** Pages that create a record, and the button that opens their dialog; null: the page is the form. */
const creating: readonly (readonly [path: string, open: string | null])[] = [
  ['/cameras', 'Adicionar câmera'],
  ['/canais', 'Criar canal'],
  ['/pessoas', 'Convidar pessoa'],
  ['/chaves', 'Criar chave'],
  ['/quiosques', 'Usar esta tela como quiosque'],
  ['/placas', 'Pôr placa na lista'],
  ['/caixas/nova', null],
  ['/gravadores/novo', null],
]

/** Tries the wizard with the simulated recorder of a demonstration, opens each form of a new record, then ends it. */
export const demonstracao: Journey = {
  name: 'demonstracao',
  // The page of the recorder may ask for it between the end of the demonstration and the new page.
  expected: [/status of 404/],
  async run({ page, base, recorder, operator: { api }, operator, account, enter, step, unique }) {
    const nome = unique(`Demonstração ${HOSTILE}`)
    const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome, demonstracao: true })
    const access = { host: '127.0.0.1', porta: recorder.porta, usuario: recorder.usuario, senha: recorder.senha }
    await api.call('POST', '/gravadores/cadastrar', {
      ...access,
      empresa_id: id,
      fabricante: 'intelbras',
      num_canais: 2,
      canais: [1],
    })
    const main = page.getByRole('main')
    const banner = page.getByRole('region', { name: 'Demonstração' })
    await enter(operator)
    await step('banner', () => banner.getByText(nome).waitFor())
    await step('folded banner, also after a reload', async () => {
      await banner.getByRole('button', { name: 'Recolher' }).press('Enter')
      await banner.getByText(nome).waitFor({ state: 'detached' })
      await page.reload()
      await banner.getByRole('button', { name: 'Mostrar', expanded: false }).waitFor()
      const { height = 0 } = (await banner.boundingBox()) ?? {}
      if (height > 48) throw new Error(`the folded banner is ${height} px high`)
    })
    await step('unfolded banner', async () => {
      await banner.getByRole('button', { name: 'Mostrar' }).click()
      await banner.getByText(nome).waitFor()
    })
    await step('trial of the wizard with filled fields', async () => {
      await banner.getByRole('link', { name: 'Experimentar o assistente' }).click()
      await main.getByText(/gravador simulado/).waitFor()
      await main.getByRole('button', { name: 'Procurar câmeras' }).click()
      await main.getByRole('img', { name: 'Imagem do canal 2' }).waitFor()
    })
    await step('new camera of the simulator', async () => {
      await main.getByRole('button', { name: 'Continuar' }).click()
      await main.getByRole('button', { name: 'Adicionar 1 câmera' }).click()
      await main.getByText('2 câmeras em 2 canais').waitFor()
    })
    const dialog = page.getByRole('dialog')
    // The only Empresa of a customer is no choice that the page makes.
    await account()
    await step('new records, with the demonstration chosen', async () => {
      for (const [path, open] of creating) {
        await page.goto(`${base}${path}?empresa=${id}`)
        if (open !== null) await page.getByRole('button', { name: open }).first().click()
        const owner = page.getByRole(open === null ? 'main' : 'dialog').getByLabel('Empresa', { exact: true })
        await page.getByText(/é apagada no fim da demonstração/).waitFor()
        if ((await owner.inputValue()) !== '') throw new Error(`${path}: another Empresa is chosen already`)
      }
    })
    await page.goto(base)
    await step('question before the end', async () => {
      await banner.getByRole('button', { name: 'Encerrar demonstração' }).click()
      await dialog.getByText(/Tudo o que é da demonstração é apagado/).waitFor()
    })
    await step('page without a demonstration', async () => {
      await dialog.getByRole('button', { name: 'Encerrar demonstração' }).click()
      await page.waitForURL(`${base}/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await banner.waitFor({ state: 'detached' })
    })
    const left = await api.get<{ id: number }[]>('/empresas')
    if (left.some((empresa) => empresa.id === id)) throw new Error('the Empresa of the demonstration is left')
  },
}
