import { afterAll, expect } from 'vitest'
import { clientOf } from '../../../../test/clients/client.ts'
import { it, type OpenContext, PAINEL, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { type Account, SENHA, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'
import { fromBase32, stepAt, totpCode } from '../totp.ts'

let app: TestApp
let account: Account
let openContext: OpenContext
const problems: string[] = []

async function openPage(width = 1280): Promise<Page> {
  const context = await openContext({
    viewport: { width, height: 900 },
    locale: 'pt-BR',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  return page
}
async function enter(page: Page, username: string) {
  await page.goto(`${app.url}/login`)
  await page.getByLabel('Usuário').fill(username)
  await page.getByLabel('Senha', { exact: true }).fill(SENHA)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

it.beforeAll(async ({ openContext: open }) => {
  openContext = open
  app = await startTestApp({ VIGIA_PAINEL_DIR: PAINEL })
  account = await app.account('Mercado Bom Preço')
})
afterAll(() => app?.stop())

it('lets a login of an Empresa that requires it enable the second factor and sign in with it', async () => {
  const username = `usuario-${account.empresaId}`
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${account.empresaId}`, { exigir_segundo_fator: true })
  const page = await openPage(360)
  await enter(page, username)
  await page.getByText('Sua Empresa exige um segundo fator.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/conta')
  await page.getByRole('button', { name: 'Ligar segundo fator' }).click()
  await page.getByLabel('Sua senha').fill('errada')
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByText('Senha incorreta.').waitFor()
  await page.getByLabel('Sua senha').fill(SENHA)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('img', { name: 'Código QR' }).waitFor()
  const secret = fromBase32(
    ((await page.getByLabel('Chave do autenticador').textContent()) ?? '').replaceAll(/\s/g, ''),
  )
  await page.getByLabel('Código que o aplicativo mostra').fill(totpCode(secret, stepAt(app.clock.now())))
  await page.getByRole('button', { name: 'Ligar', exact: true }).click()
  const codes = ((await page.getByLabel('Códigos de recuperação', { exact: true }).textContent()) ?? '').split('\n')
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Copiar códigos' }).click()
  await page.getByText('Códigos copiados.').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar arquivo' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('vigia-codigos-de-recuperacao.txt')
  await page.getByRole('button', { name: 'Já guardei' }).click()
  await page.getByText('Restam 10 códigos de recuperação.').waitFor()
  // The dashboard is now accessible.
  await page.getByRole('link', { name: 'Plantão' }).click()
  await page.getByRole('heading', { name: 'Plantão' }).waitFor()

  await page.goto(`${app.url}/logout`)
  await enter(page, username)
  await page.getByRole('heading', { name: 'Código de verificação' }).waitFor()
  await page.getByLabel('Código', { exact: true }).fill('abc')
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await page.getByRole('alert').waitFor()
  app.clock.advance(30_000)
  await page.getByLabel('Código', { exact: true }).fill(totpCode(secret, stepAt(app.clock.now())))
  await page.getByRole('button', { name: 'Confirmar' }).click()
  await page.getByRole('heading', { name: 'Plantão' }).waitFor()
})

it('lets an administrador create a working key and delete it', async () => {
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${account.empresaId}`, { exigir_segundo_fator: false })
  const page = await openPage()
  await enter(page, `administrador-${account.empresaId}`)
  await page.getByRole('link', { name: 'Chaves' }).click()
  await page.getByText('Nenhuma chave ainda').waitFor()
  await page.getByRole('button', { name: 'Criar chave' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Criar chave' }).click()
  await dialog.getByText('Dê um nome').waitFor()
  await dialog.getByLabel('Nome').fill('ERP da matriz')
  await dialog.getByRole('button', { name: 'Criar chave' }).click()
  const key = (await page.getByLabel('Chave de integração', { exact: true }).textContent()) ?? ''
  const client = clientOf(app.url, key)
  expect((await client.send('GET', '/api/v1/cameras')).status).toBe(200)
  await page.getByRole('button', { name: 'Copiar chave' }).click()
  await page.getByText('Chave copiada.').waitFor()
  await page.getByRole('button', { name: 'Já guardei' }).click()
  const card = page.getByRole('article', { name: 'ERP da matriz' })
  await card.getByText('Só lê').waitFor()
  expect(await page.content()).not.toContain(key)
  await card.getByRole('button', { name: 'Apagar a chave ERP da matriz' }).click()
  await dialog.getByRole('button', { name: 'Apagar' }).click()
  await page.getByText('Nenhuma chave ainda').waitFor()
  expect((await client.send('GET', '/api/v1/cameras')).status).toBe(401)
  expect(problems).toEqual([])
})

it.each([320, 1280])('has no clipped or overflowing content at %i px', async (width) => {
  await account.admin.send('POST', '/api/v1/chaves', { nome: 'N'.repeat(80), escopo: 'escrita' })
  const page = await openPage(width)
  await enter(page, `administrador-${account.empresaId}`)
  await page.getByRole('heading', { name: 'Plantão' }).waitFor()
  for (const [path, text] of [
    ['/chaves', 'N'.repeat(80)],
    ['/conta', 'Segundo fator'],
  ] as const) {
    await page.goto(`${app.url}${path}`)
    await page.getByText(text).first().waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  }
})
