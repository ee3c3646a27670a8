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
  { name: 'cameras', path: '/cameras' },
  {
    name: 'gravador',
    path: '/cameras',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Adicionar gravador' }).click()
      await page.getByRole('dialog').getByLabel('Endereço IP ou nome').waitFor()
    },
  },
  { name: 'caixas', path: '/caixas' },
  {
    name: 'caixa-codigo',
    path: '/caixas',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Adicionar caixa' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Empresa', { exact: true }).selectOption('Demonstração')
      await dialog.getByRole('textbox', { name: 'Nome' }).fill('Caixa da portaria')
      await dialog.getByRole('button', { name: 'Adicionar e gerar o código' }).click()
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
