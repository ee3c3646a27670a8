import { afterAll, expect } from 'vitest'
import { tagList, tagOf } from '../../../../http/openapi-tags.ts'
import { it, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { ADMIN, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'

let app: TestApp
let page: Page
const problems: string[] = []

it.beforeAll(async ({ openContext }) => {
  app = await startTestApp()
  const context = await openContext({ viewport: { width: 1280, height: 1600 }, locale: 'pt-BR' })
  page = await context.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) problems.push(request.url())
  })
})
afterAll(() => app?.stop())

const open = (chapter: string) => page.locator(`#operations-tag-${chapter}`).click()

it('shows every chapter, and its operations after a click', async () => {
  await page.goto(`${app.url}/api/v1/docs`)
  expect(await page.title()).toBe('Vigia: referência da API')
  await page.locator('#operations-tag-Câmeras').waitFor()
  expect(await page.locator('.opblock-tag').count()).toBe(tagList.length)
  expect(await page.locator('.opblock').count()).toBe(0)
  await open('Câmeras')
  await page.locator('#operations-Câmeras-criarCamera').waitFor()
  const ofChapter = app.routes.filter(({ path }) => tagOf(path) === 'Câmeras')
  expect(await page.locator('.opblock').count()).toBe(ofChapter.length)
})

it('shows an operation with its example, its fields and its refusals', async () => {
  await page.locator('#operations-Câmeras-criarCamera .opblock-summary-control').click()
  const operation = page.locator('#operations-Câmeras-criarCamera')
  await operation.getByText('Portão da frente').first().waitFor()
  await operation.getByText('Contraria o que já está cadastrado.').waitFor()
})

it('sends a trial request with the session of the dashboard', async () => {
  await page.context().request.post(`${app.url}/api/v1/auth/login`, { form: { ...ADMIN } })
  await open('Empresas')
  const operation = page.locator('#operations-Empresas-criarEmpresa')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText('201').first().waitFor()
  const empresas = await app.operator.expect<{ nome: string }[]>(200, 'GET', '/api/v1/empresas')
  expect(empresas.map(({ nome }) => nome)).toEqual(['Mercado Bom Preço'])
})

it('runs under its strict policy: without blocked files, foreign origins or errors', async () => {
  const policy = (await fetch(`${app.url}/api/v1/docs`)).headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')
  expect(problems).toEqual([])
})
