import type { Page } from 'playwright-core'

/** One page of the dashboard, or one of its dialogs. A new page needs one entry in `screens`. */
export interface Screen {
  /** Start of the file names. */
  readonly name: string
  readonly path: string
  /** Opens a dialog or a detail. Such a screen has only the state `cheia`. */
  readonly prepare?: (page: Page) => Promise<void>
}

export const screens: readonly Screen[] = [
  { name: 'alertas', path: '/' },
  {
    name: 'alerta',
    path: '/',
    prepare: async (page) => {
      await page.getByRole('article').filter({ hasText: 'Confirmado' }).first().click()
      await page.getByText('Este alarme era verdadeiro?').waitFor()
    },
  },
  { name: 'quedas', path: '/quedas' },
  { name: 'busca', path: '/busca' },
  { name: 'linha-do-tempo', path: '/linha-do-tempo' },
  { name: 'relatorios', path: '/relatorios' },
  { name: 'cameras', path: '/cameras' },
  { name: 'gravadores', path: '/gravadores' },
  {
    name: 'gravador',
    path: '/gravadores/novo',
    prepare: async (page) => {
      await page.getByLabel('Endereço IP ou nome').waitFor()
    },
  },
  {
    name: 'gravador-canais',
    path: '/gravadores/novo?simulado=true',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Procurar câmeras' }).click()
      await page.getByRole('img', { name: 'Imagem do canal 4' }).waitFor()
    },
  },
  { name: 'caixas', path: '/caixas' },
  {
    name: 'caixa-codigo',
    path: '/caixas/nova',
    prepare: async (page) => {
      await page.getByLabel('Nome da nova Empresa').fill('Mercado Bom Preço')
      await page.getByRole('textbox', { name: 'Nome' }).fill('Caixa da portaria')
      await page.getByRole('button', { name: 'Adicionar e gerar o código' }).click()
      await page.getByLabel('Código de ativação', { exact: true }).waitFor()
    },
  },
  { name: 'empresas', path: '/empresas' },
  { name: 'agentes', path: '/agentes' },
  { name: 'chaves', path: '/chaves' },
  { name: 'pendencias', path: '/pendencias' },
  { name: 'auditoria', path: '/auditoria' },
  { name: 'conta', path: '/conta' },
]
