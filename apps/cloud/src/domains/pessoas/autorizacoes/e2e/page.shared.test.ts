import { expect } from 'vitest'
import { postMcp } from '../../../../test/clients/agent-client.ts'
import { authorizeAgent } from '../../../../test/clients/oauth-flow.ts'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { it, type OpenContext, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { type Account, SENHA, type TestApp } from '../../../../test/clouds/test-app.ts'

const NOME = '<img src=x onerror=alert(1)> Assistente'

/** Time limit for the page to show a change. */
const SOON = { timeout: 90_000 }

let app: TestApp
let account: Account
let openContext: OpenContext
let page: Page
const problems: string[] = []

/**
 * @param expectsFailures requests fail on purpose: the console is not checked, and no service worker passes by the
 * answers of the test
 */
async function openAs(username: string, { expectsFailures = false } = {}): Promise<Page> {
  const context = await openContext({
    viewport: { width: 1280, height: 900 },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    permissions: ['clipboard-read', 'clipboard-write'],
    serviceWorkers: expectsFailures ? 'block' : 'allow',
  })
  await context.request.post(`${app.url}/api/v1/auth/login`, { form: { username, password: SENHA } })
  const opened = await context.newPage()
  opened.on('pageerror', (error) => problems.push(error.message))
  opened.on('console', (message) => {
    if (message.type() === 'error' && !expectsFailures) problems.push(message.text())
  })
  opened.on('request', (request) => {
    if (!request.url().startsWith(app.url) && !/^(data|blob):/.test(request.url())) problems.push(request.url())
  })
  return opened
}

/** An edge of the account, and the database of the app. */
async function seededEdge() {
  const backstage = await openBackstage(app)
  return { ...backstage, ...(await backstage.camera(account.empresaId)) }
}

it.beforeAll(async ({ app: shared, openContext: open }) => {
  app = shared
  openContext = open
  account = await app.account('Mercado Bom Preço')
  page = await openAs(`administrador-${account.empresaId}`)
})

it('has two more pages for a login with access to the audit log, and one more for other logins', async () => {
  // On a phone these pages are behind a button.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(app.url)
  await page.getByRole('button', { name: 'Mais', exact: true }).click()
  await page.getByRole('link', { name: 'Auditoria' }).waitFor()
  const [more, last] = [
    page.getByRole('button', { name: 'Mais', exact: true }),
    page.getByRole('link', { name: 'Minha conta' }),
  ]
  await page.keyboard.press('Escape')
  await last.waitFor({ state: 'hidden' })
  expect(await more.evaluate((button) => button.matches(':focus'))).toBe(true)
  // Continuing by keyboard or mouse closes the menu.
  await more.click()
  await last.focus()
  await page.keyboard.press('Tab')
  await last.waitFor({ state: 'hidden' })
  await more.click()
  await last.waitFor()
  await page.getByRole('main').click({ position: { x: 2, y: 2 } })
  await last.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await last.waitFor()

  const other = await openAs(`usuario-${account.empresaId}`)
  await other.goto(app.url)
  await other.getByRole('link', { name: 'Agentes' }).waitFor()
  expect(await other.getByRole('link', { name: 'Auditoria' }).count()).toBe(0)
  await other.getByRole('link', { name: 'Agentes' }).click()
  await other.getByText('Nenhum agente tem acesso').waitFor()
  await other.goto(`${app.url}/auditoria`)
  await other.getByText('Só o administrador da conta vê a auditoria.').waitFor()
  await other.context().close()
})

it('shows the address for agents with a copy button', async () => {
  await page.getByRole('link', { name: 'Agentes' }).click()
  await page.getByLabel('Endereço para agentes').getByText(`${app.url}/mcp`).waitFor()
  await page.getByRole('button', { name: 'Copiar endereço' }).click()
  await page.getByText('Endereço copiado.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${app.url}/mcp`)
})

it('shows the self-chosen name of an agent as plain text, and revokes its access', async () => {
  const token = await authorizeAgent(app, `usuario-${account.empresaId}`, { nome: NOME, scope: 'mcp:leitura' })
  const card = page.getByRole('article', { name: NOME })
  // The page requests them without user action.
  await card.getByText(`Age em nome de usuario-${account.empresaId}`).waitFor()
  await card.getByText('Só vê; não muda nada').waitFor()
  await card.getByText('um programa no computador da pessoa').waitFor()
  const callMcp = () =>
    postMcp(app, token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }).then(({ status }) => status)
  expect(await callMcp()).not.toBe(401)

  await card.getByRole('button', { name: /^Retirar acesso de/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(NOME).waitFor()
  await dialog.getByRole('button', { name: 'Retirar acesso' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await card.count()).toBe(0)
  await page.getByText('Nenhum agente tem acesso').waitFor()
  expect(await callMcp()).toBe(401)
})

it('describes each change in a sentence that expands to before and after', async () => {
  const { id } = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', {
    nome: 'Doca',
    rtsp_url: 'rtsp://127.0.0.1:1/1',
  })
  await account.admin.expect(200, 'PATCH', `/api/v1/cameras/${id}`, {
    nome: 'Doca de carga',
    config_ia: { invasao: { conf: 0.7 } },
  })
  await page.getByRole('link', { name: 'Auditoria' }).click()
  const admin = `administrador-${account.empresaId}`
  await page.getByText(`${admin} retirou o acesso do agente “${NOME}”`).waitFor()
  await page.getByText(`usuario-${account.empresaId} autorizou o acesso do agente “${NOME}”`).waitFor()
  const sentence = `${admin} alterou a câmera “Doca de carga”: nome`
  await page.getByRole('row').filter({ hasText: sentence }).getByRole('button').click()
  const change = page.getByRole('dialog')
  const name = change.getByRole('listitem').filter({ hasText: /^nome/i })
  await name.getByRole('definition').nth(1).waitFor()
  expect(await name.getByRole('definition').allTextContents()).toEqual(['Doca', 'Doca de carga'])
  await change.getByText('calibração › Invasão › confiança mínima').waitFor()
  await change.getByText('127.0.0.1').waitFor()
  await page.keyboard.press('Escape')
  await change.waitFor({ state: 'detached' })
})

/** Records of the table, also those that are far from the window. */
const rowsOf = async (opened: Page): Promise<number> =>
  Number(await opened.getByRole('table').getAttribute('aria-rowcount')) - 1

it('can be filtered by login, object, canal and day, which the address contains', async () => {
  await page.getByLabel('O quê').selectOption('Câmeras')
  await expect.poll(() => rowsOf(page), SOON).toBe(2)
  await page.getByLabel('Por onde').selectOption('Painel')
  await page.getByText('Nenhum registro com estes filtros').waitFor()
  await page.getByLabel('Por onde').selectOption('API')
  await expect.poll(() => rowsOf(page), SOON).toBe(2)
  const quem = page.getByRole('combobox', { name: 'Quem' })
  await quem.fill(`usuario-${account.empresaId}`)
  await page.getByRole('option', { name: `usuario-${account.empresaId}` }).click()
  await page.getByText('Nenhum registro com estes filtros').waitFor()
  await quem.click()
  await page.getByRole('option', { name: 'Todos' }).click()
  await page.getByLabel('Até').fill('2020-01-31')
  await page.getByText('Nenhum registro com estes filtros').waitFor()
  await page.getByLabel('De', { exact: true }).fill('2020-01-01')
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams), SOON)
    .toEqual({ coisa: 'camera', porta: 'api', de: '2020-01-01', ate: '2020-01-31' })
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect.poll(() => rowsOf(page), SOON).toBeGreaterThan(5)
})

it('pages back to the first record', async () => {
  const first = await account.admin.expect<{ id: number }[]>(200, 'GET', '/api/v1/cameras')
  for (let turn = 0; turn < 60; turn += 1)
    await account.admin.expect(200, 'PATCH', `/api/v1/cameras/${first[0]?.id}`, { nome: `Doca ${turn}` })
  await page.reload()
  await expect.poll(() => rowsOf(page), SOON).toBe(50)
  await page.getByRole('button', { name: 'Ver mais antigos' }).click()
  await expect.poll(() => rowsOf(page), SOON).toBeGreaterThan(60)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await page.getByText('criou a câmera “Doca”').waitFor()
  expect(await page.getByRole('button', { name: 'Ver mais antigos' }).count()).toBe(0)
})

/** The used part of a DOM element: the cloud compiles without the types of a browser. */
interface Placed {
  scrollIntoView(options: { block: 'nearest' }): void
  getBoundingClientRect(): { readonly top: number }
}

// A button that moves between the press and the release of the mouse receives no click.
it.each([360, 1280])('keeps the button for older records in place at %i px', async (width) => {
  await page.setViewportSize({ width, height: 900 })
  await page.reload()
  const button = page.getByRole('button', { name: 'Ver mais antigos' })
  await button.waitFor()
  const tops = await button.evaluate(async (element: Placed) => {
    const next = () => new Promise((resolve) => setTimeout(resolve, 50))
    const top = () => Math.round(element.getBoundingClientRect().top)
    // Rows that come near the window are measured for the first time.
    for (let last = Number.NaN; last !== top(); await next()) {
      last = top()
      element.scrollIntoView({ block: 'nearest' })
      await next()
    }
    const seen: number[] = []
    for (let frame = 0; frame < 6; frame += 1) {
      seen.push(top())
      await next()
    }
    return seen
  })
  expect(tops).toEqual(tops.map(() => tops[0]))
})

it('reports that older records could not be fetched, keeps the list, and fetches them again', async () => {
  const { edgeId: edge_id, empresaId: empresa_id, ...backstage } = await seededEdge()
  const [inicio, nome, motivo] = [app.clock.now(), 'Portão', 'sem_resposta'] as const
  const queda = { empresa_id, edge_id, camera_id: null, nome, inicio, fim: inicio, motivo }
  for (let count = 0; count < 60; count += 1)
    await backstage.db
      .insertInto('quedas')
      .values({ ...queda, inicio: inicio - count })
      .execute()
  await backstage.close()

  const failing = await openAs(`administrador-${account.empresaId}`, { expectsFailures: true })
  for (const [path, more, label] of [
    ['/auditoria', /auditoria\?.*offset=50/, 'Ver mais antigos'],
    ['/quedas', /quedas\?.*limit=200/, 'Ver mais antigas'],
  ] as const) {
    await failing.goto(`${app.url}${path}`)
    await expect.poll(() => rowsOf(failing), SOON).toBe(50)
    await failing.route(more, (route) => route.fulfill({ status: 500, json: { detail: 'Erro interno.', id: 'abc' } }))
    // By keyboard: rows that are measured for the first time may move the button under a pointer.
    await failing.getByRole('button', { name: label }).press('Enter')
    await failing.getByRole('alert').getByText('Erro interno. (código abc)').waitFor()
    expect(await rowsOf(failing)).toBe(50)
    await failing.unroute(more)
    await failing.getByRole('button', { name: 'Tentar novamente' }).click()
    await expect.poll(() => rowsOf(failing), SOON).toBeGreaterThan(59)
    expect(await failing.getByRole('alert').count()).toBe(0)
  }
  await failing.context().close()
})

it.each([320, 360, 1280])('has no clipped or overflowing content at %i px', async (width) => {
  await authorizeAgent(app, `usuario-${account.empresaId}`, { nome: 'A'.repeat(120) })
  await page.setViewportSize({ width, height: 800 })
  for (const path of ['/agentes', '/auditoria']) {
    await page.goto(`${app.url}${path}`)
    await page.getByText('A'.repeat(120)).first().waitFor()
    const wide = () => page.evaluate<number>('document.documentElement.scrollWidth')
    if (path === '/auditoria') {
      await page.getByRole('row').getByRole('button').first().click()
      await page.getByRole('dialog').waitFor()
      expect(await wide()).toBe(width)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    if (width < 992) await page.getByRole('button', { name: 'Mais', exact: true }).click()
    expect(await wide()).toBe(width)
  }
})

it('works under the strict CSP: nothing blocked, no other hosts, no script error', () => {
  expect(problems).toEqual([])
})
