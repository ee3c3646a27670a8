import { afterAll, expect } from 'vitest'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { it, PAINEL, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { SENHA, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'
import { seedActivatedEdge, seedOneCamera } from '../../../../test/records/records.ts'

/** Two Empresas own them; the one below has two caixas. */
const CAMERAS = 300
/** Limit of `npm run lab -- telas`. */
const MOST_NODES = 1_500

let app: TestApp
let page: Page
let aboveId: number

it.beforeAll(async ({ openContext }) => {
  app = await startTestApp({ VIGIA_PAINEL_DIR: PAINEL })
  const above = await app.account('Integradora')
  const below = await app.account('Mercado Bom Preço', above.admin)
  aboveId = above.empresaId
  const backstage = await openBackstage(app)
  const owners = [above.empresaId, below.empresaId, below.empresaId]
  const edges = await Promise.all(owners.map((empresaId) => seedActivatedEdge(backstage.db, empresaId)))
  for (let i = 1; i <= CAMERAS; i += 1) {
    const site = i % owners.length
    await seedOneCamera(backstage.db, owners[site] ?? 0, edges[site] ?? 0, { nome: `Câmera ${i}` })
  }
  await backstage.close()
  const context = await openContext({ viewport: { width: 1280, height: 800 }, locale: 'pt-BR' })
  const form = { username: `administrador-${above.empresaId}`, password: SENHA }
  await context.request.post(`${app.url}/api/v1/auth/login`, { form })
  page = await context.newPage()
})
afterAll(() => app?.stop())

const cards = () => page.getByRole('article')
const nodes = () => page.evaluate<number>('document.querySelectorAll("*").length')
const scrollToEnd = () => page.evaluate('scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" })')
const focusedCard = () => page.evaluate<string | null>('document.activeElement.closest("article")?.ariaLabel ?? null')

it('has only the cameras near the window in the page, and reaches the others by scrolling and by search', async () => {
  await page.goto(`${app.url}/cameras`)
  await page.getByRole('heading', { name: 'Integradora 100 câmeras' }).waitFor()
  await cards().first().waitFor()
  expect(await cards().count()).toBeLessThan(60)
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES)
  await scrollToEnd()
  await page.getByRole('article', { name: 'Câmera 299', exact: true }).waitFor()
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES)

  await page.getByLabel('Procurar câmera').fill('camera 150')
  await page.getByText('1 de 300 câmeras').waitFor()
  expect(await cards().count()).toBe(1)
  await page.getByLabel('Procurar câmera').fill('preco')
  await page.getByText('200 de 300 câmeras').waitFor()
  await page.getByLabel('Procurar câmera').fill('')
  await page.getByText('200 de 300 câmeras').waitFor({ state: 'detached' })
})

it('leads the keyboard through every camera, and keeps the focus while the page is scrolled', async () => {
  await page.goto(`${app.url}/cameras`)
  await cards().first().getByRole('link').focus()
  const seen = new Set<string | null>()
  for (let i = 0; i < 60; i += 1) {
    seen.add(await focusedCard())
    await page.keyboard.press('Tab')
  }
  expect(seen.size).toBe(60)
  expect([...seen].slice(0, 3)).toEqual(['Câmera 3', 'Câmera 6', 'Câmera 9'])
  const focused = await focusedCard()
  await scrollToEnd()
  await page.getByRole('article', { name: 'Câmera 299', exact: true }).waitFor()
  expect(await focusedCard()).toBe(focused)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: focused ?? '' }).waitFor()
})

it('returns to the same place of the list', async () => {
  await page.goto(`${app.url}/cameras`)
  await cards().first().waitFor()
  await scrollToEnd()
  await page.getByRole('article', { name: 'Câmera 299', exact: true }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Câmera 299' }).waitFor()
  await page.goBack()
  await page.getByRole('article', { name: 'Câmera 299', exact: true }).waitFor()
})

it('shows all cameras as a table, which the address and the browser keep', async () => {
  await page.goto(`${app.url}/cameras?status=offline`)
  await page.getByText('Tabela', { exact: true }).click()
  await page.getByRole('table').and(page.locator('[aria-rowcount="301"]')).waitFor()
  expect(new URL(page.url()).search).toBe('?status=offline&vista=tabela')
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES)
  await scrollToEnd()
  await page.getByRole('row', { name: 'Câmera 299' }).waitFor()
  await page.goto(`${app.url}/cameras`)
  await page.getByRole('table').waitFor()
  await page.goto(`${app.url}/cameras?vista=imagens&empresa=${aboveId}`)
  await cards().first().waitFor()
})

it('opens the pages of a camera for the addresses of the former dialogs', async () => {
  await page.goto(`${app.url}/cameras?historico=7`)
  await page.waitForURL(`${app.url}/cameras/7/prova-e-saude`)
  await page.goto(`${app.url}/cameras?aovivo=7`)
  await page.waitForURL(`${app.url}/cameras/7`)
})

it.each([
  ['zonas', 'o-que-vigia/zonas'],
  ['horarios', 'o-que-vigia/horarios'],
  ['placas', 'o-que-vigia/placa'],
  ['mascaras', 'privacidade-e-som'],
  ['prova', 'prova-e-saude/prova'],
  ['gravacoes?em=2026-11-21T12:00:00.000Z', 'eventos/gravacoes?em=2026-11-21T12%3A00%3A00.000Z'],
])('opens /cameras/7/%s of an earlier release', async (former, now) => {
  await page.goto(`${app.url}/cameras/7/${former}`)
  await page.waitForURL(`${app.url}/cameras/7/${now}`)
})

it.each(['/linha-do-tempo', '/relatorios', '/busca', '/passagens'])(
  'finds a camera of hundreds on %s',
  async (path) => {
    await page.goto(`${app.url}${path}`)
    const isFolded = path === '/busca' || path === '/passagens'
    if (isFolded) await page.getByText('Mais filtros').click()
    const box = page.getByRole('combobox', { name: 'Câmera', exact: true })
    const options = page.getByRole('listbox').getByRole('option')
    await box.click()
    expect(await options.count()).toBe(13)
    await box.fill('camera 299 preco')
    await options.first().waitFor()
    expect(await options.allInnerTexts()).toEqual(['Câmera 299 Mercado Bom Preço'])
    await page.keyboard.press('Enter')
    await options.waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('Câmera 299')
    await box.click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    expect(await box.inputValue()).toBe('Câmera 299')
    await box.click()
    await options.first().click()
    // Without any filter they fold again.
    if (isFolded) await page.getByText('Mais filtros').click()
    expect(await box.inputValue()).toBe('')
  },
)

it.each([
  ['/cameras/varias', CAMERAS],
  // Its first page.
  ['/linha-do-tempo', 100],
])('has only the rows near the window of %s', async (path, last) => {
  await page.goto(`${app.url}${path}`)
  const rows = page.getByRole('main').getByRole('list', { name: 'Câmeras', exact: true }).getByRole('listitem')
  await rows.first().waitFor()
  expect(await rows.count()).toBeLessThan(60)
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES)
  await scrollToEnd()
  await rows.and(page.locator(`[aria-posinset="${last}"]`)).waitFor()
})
