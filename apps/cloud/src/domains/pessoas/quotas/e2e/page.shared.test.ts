import { afterAll, expect } from 'vitest'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { it, type OpenContext, PAINEL, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { type Account, ADMIN, SENHA, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'

let app: TestApp
let above: Account
let below: Account
let openContext: OpenContext

async function openAs(username: string, password = SENHA): Promise<Page> {
  const context = await openContext({ viewport: { width: 1280, height: 900 }, locale: 'pt-BR' })
  await context.request.post(`${app.url}/api/v1/auth/login`, { form: { username, password } })
  return await context.newPage()
}
const cardOf = (page: Page, nome: string) => page.getByRole('article', { name: nome })

it.beforeAll(async ({ openContext: open }) => {
  openContext = open
  app = await startTestApp({ VIGIA_PAINEL_DIR: PAINEL })
  above = await app.account('Integradora')
  below = await app.account('Mercado Bom Preço', above.admin)
  const backstage = await openBackstage(app)
  for (let i = 0; i < 12; i += 1) await backstage.camera(below.empresaId)
  await backstage.close()
})
afterAll(() => app?.stop())

it('shows and sets the limits of every Empresa for the operator', async () => {
  const page = await openAs(ADMIN.username, ADMIN.password)
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Empresas' }).click()
  await cardOf(page, 'Integradora').getByText('12 de 64').waitFor()
  await page.getByRole('button', { name: 'Mudar limites de Integradora' }).click()
  await page.getByLabel('Limite de câmeras').fill('20')
  await page.getByLabel('Limite de caixas').fill('dez')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Informe um número inteiro de 0 a 100000.').waitFor()
  await page.getByLabel('Limite de caixas').fill('12')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await cardOf(page, 'Integradora').getByText('12 de 20').waitFor()
  // The lower limit of the parent applies to the child.
  await cardOf(page, 'Mercado Bom Preço').getByText('12 de 20').waitFor()
  await page.getByRole('button', { name: 'Mudar limites de Mercado Bom Preço' }).click()
  await page.getByLabel('Limite de câmeras').fill('21')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('da Empresa acima, "Integradora", é 20').waitFor()
  await page.getByRole('button', { name: 'Cancelar' }).click()
  await page.getByLabel('Segundo fator dos logins de Mercado Bom Preço').first().click()
  await page.getByRole('option', { name: 'Exigir', exact: true }).click()
  await page.getByText('Segundo fator de Mercado Bom Preço salvo.').waitFor()
  expect(await app.operator.expect(200, 'GET', `/api/v1/empresas/${below.empresaId}`)).toMatchObject({
    exigir_segundo_fator: true,
  })
  await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${below.empresaId}`, { exigir_segundo_fator: null })
  await page.getByLabel('Procurar pelo nome').fill('preco')
  await cardOf(page, 'Integradora').waitFor({ state: 'hidden' })
  expect(await page.getByRole('article').count()).toBe(1)
})

it('shows an administrador its own limits and sets only cameras of a child', async () => {
  const page = await openAs(`administrador-${above.empresaId}`)
  await page.goto(`${app.url}/empresas`)
  await page.getByRole('button', { name: 'Mudar limites de Mercado Bom Preço' }).click()
  await page.getByLabel('Limite de câmeras').waitFor()
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(1)
  await page.getByRole('button', { name: 'Cancelar' }).click()
  expect(await page.getByRole('button', { name: 'Mudar limites de Integradora' }).count()).toBe(0)
  await page.getByText('Para mudar um limite, peça').waitFor()

  const other = await openAs(`usuario-${below.empresaId}`)
  await other.goto(`${app.url}/empresas`)
  await other.getByText('Só o administrador da conta vê as Empresas').waitFor()
})

it.each([320, 1280])('fits the page without overflow at %i pixels', async (width) => {
  await app.operator.expect(201, 'POST', '/api/v1/empresas', { nome: 'N'.repeat(120) })
  const page = await openAs(ADMIN.username, ADMIN.password)
  await page.setViewportSize({ width, height: 800 })
  await page.goto(`${app.url}/empresas`)
  await cardOf(page, 'N'.repeat(120)).first().waitFor()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
})
