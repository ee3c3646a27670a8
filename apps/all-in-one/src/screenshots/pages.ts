import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** CSS pixels. `parede` is the screen of a control centre. */
const sizes = {
  celular: { width: 390, height: 844 },
  notebook: { width: 1366, height: 768 },
  parede: { width: 1920, height: 1080 },
} as const
type Size = keyof typeof sizes

interface Picture {
  readonly name: string
  readonly path: string
  readonly sizes: readonly Size[]
  /** Opens a dialog or a detail after the page has loaded. */
  readonly prepare?: (page: Page) => Promise<void>
}

const EVERYWHERE = ['celular', 'notebook', 'parede'] as const
const HAND_AND_DESK = ['celular', 'notebook'] as const
const DESK = ['notebook'] as const

const pictures: readonly Picture[] = [
  { name: 'alertas', path: '/', sizes: EVERYWHERE },
  {
    name: 'alerta',
    path: '/',
    sizes: HAND_AND_DESK,
    prepare: async (page) => {
      await page.getByRole('article').filter({ hasText: 'Confirmado' }).first().click()
      await page.getByText('Este alarme era verdadeiro?').waitFor()
    },
  },
  { name: 'cameras', path: '/cameras', sizes: EVERYWHERE },
  {
    name: 'gravador',
    path: '/cameras',
    sizes: HAND_AND_DESK,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Adicionar gravador' }).click()
      await page.getByRole('dialog').getByLabel('Endereço IP ou nome').waitFor()
    },
  },
  { name: 'caixas', path: '/caixas', sizes: HAND_AND_DESK },
  {
    name: 'caixa-codigo',
    path: '/caixas',
    sizes: DESK,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Adicionar caixa' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Nome' }).fill('Caixa da portaria')
      await dialog.getByRole('button', { name: 'Adicionar e gerar o código' }).click()
      await page.getByLabel('Código de ativação', { exact: true }).waitFor()
    },
  },
  { name: 'quedas', path: '/quedas', sizes: DESK },
  { name: 'empresas', path: '/empresas', sizes: DESK },
  { name: 'agentes', path: '/agentes', sizes: DESK },
  { name: 'auditoria', path: '/auditoria', sizes: DESK },
  { name: 'pendencias', path: '/pendencias', sizes: DESK },
  { name: 'chaves', path: '/chaves', sizes: DESK },
  { name: 'conta', path: '/conta', sizes: HAND_AND_DESK },
]

interface Where {
  readonly browser: Browser
  readonly base: string
  readonly operator: { readonly username: string; readonly password: string }
  readonly out: string
}

/** Writes `<name>-<size>.jpg` for each page and returns the paths. */
export async function takePictures({ browser, base, operator, out }: Where): Promise<string[]> {
  const files: string[] = []
  for (const size of Object.keys(sizes) as Size[]) {
    const page = await browser.newPage({ viewport: sizes[size], locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' })
    const take = async (name: string) => {
      // The pages show placeholders first, and load their pictures after their text.
      await page.waitForFunction(
        `!document.querySelector('[aria-busy="true"]') && [...document.images].every((image) => image.complete)`,
      )
      const file = join(out, `${name}-${size}.jpg`)
      await page.screenshot({ path: file, type: 'jpeg', quality: 75, animations: 'disabled' })
      files.push(file)
    }
    await page.goto(`${base}/login`)
    await page.getByLabel('Usuário').fill(operator.username)
    await take('entrar')
    await page.getByLabel('Senha', { exact: true }).fill(operator.password)
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await page.getByRole('list', { name: 'Lista de alertas' }).waitFor()
    for (const { name, path, prepare, sizes: wanted } of pictures) {
      if (!wanted.includes(size)) continue
      await page.goto(`${base}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await prepare?.(page)
      await take(name)
    }
    await page.close()
  }
  return files
}
