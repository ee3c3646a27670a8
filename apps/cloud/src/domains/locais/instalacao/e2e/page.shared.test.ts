import { MAX_CAMERAS_INSTALACAO } from '@vigia/contracts/instalacao'
import { afterAll, expect } from 'vitest'
import { type Backstage, openBackstage } from '../../../../test/clouds/backstage.ts'
import { it, PAINEL, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { SENHA, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'
import { seedActivatedEdge, seedOneCamera } from '../../../../test/records/records.ts'

const CAMERAS = 64
/** A sheet, px of CSS. */
const A4 = { width: 794, height: 1123 }
/** Limit of `npm run lab -- telas`. */
const MOST_NODES = 1_500

let app: TestApp
let backstage: Backstage
let page: Page
let empresaId: number
let admin: Awaited<ReturnType<TestApp['account']>>['admin']
const ids: number[] = []

/** A phone, as the installer holds it. */
it.beforeAll(async ({ openContext }) => {
  app = await startTestApp({ VIGIA_PAINEL_DIR: PAINEL })
  const account = await app.account('Mercado Bom Preço')
  empresaId = account.empresaId
  admin = account.admin
  backstage = await openBackstage(app)
  const context = await openContext({ viewport: { width: 390, height: 844 }, locale: 'pt-BR' })
  const form = { username: `administrador-${empresaId}`, password: SENHA }
  await context.request.post(`${app.url}/api/v1/auth/login`, { form })
  page = await context.newPage()
})
afterAll(async () => {
  await backstage?.close()
  await app?.stop()
})

const open = () => page.goto(`${app.url}/instalacao`)
const next = (name: string) => page.getByRole('link', { name, exact: true })
const row = (nome: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: nome, exact: true }) })
const nodes = () => page.evaluate<number>('document.querySelectorAll("*").length')

it('leads from nothing to the box, and to the recorder once the box is online', async () => {
  await open()
  await page.getByRole('heading', { name: 'Adicione a caixa' }).waitFor()
  await next('Adicionar caixa').click()
  await page.waitForURL(`${app.url}/caixas/nova?instalacao=true`)
  const edge = await seedActivatedEdge(backstage.db, empresaId)
  const seen = { presente: 1 as const, visto_em: app.clock.now() }
  await backstage.db.updateTable('edges').set(seen).where('id', '=', edge).execute()
  await open()
  await next('Adicionar gravador').waitFor()
  for (let i = 1; i <= CAMERAS; i += 1)
    ids.push(await seedOneCamera(backstage.db, empresaId, edge, { nome: `Câmera ${i}`, ultimo_frame_em: null }))
})

it('follows the site while the page is open, one primary button at a time', async () => {
  await open()
  await page.getByRole('heading', { name: 'Ainda sem imagem: Câmera 1' }).waitFor()
  await backstage.db.updateTable('cameras').set({ ultimo_frame_em: app.clock.now() }).execute()
  await page.getByRole('heading', { name: 'Diga onde vigiar: Câmera 1' }).waitFor()
  await page.getByText('Depois dela faltam mais 63 câmeras.').waitFor()
  const primary = page.locator('main .mantine-Button-root:not([data-variant="default"])')
  expect(await primary.count()).toBe(1)
})

it('takes the whole picture as a zone once a person has said so, and leads back', async () => {
  await next('Abrir zonas e linha').click()
  await page.getByLabel('Vigiar a imagem inteira, de propósito').check()
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Tudo salvo').waitFor()
  await page.getByRole('link', { name: 'Continuar a instalação' }).click()
  await page.getByRole('heading', { name: 'Diga onde vigiar: Câmera 2' }).waitFor()
  await row('Câmera 1').getByText('Imagem inteira').waitFor()
})

it('names the camera without a walk test, in a short page of 64, and is complete after the last one', async () => {
  for (const id of ids.slice(1))
    await admin.expect(200, 'PATCH', `/api/v1/cameras/${id}/geometria`, { zonas: [[0, 0, 1, 0, 1, 1]] })
  for (const id of ids.slice(0, -1))
    await admin.expect(201, 'POST', `/api/v1/cameras/${id}/provas`, { duracao_s: 60, aprovada: true })
  await open()
  await page.getByRole('heading', { name: 'Faça a prova: Câmera 64' }).waitFor()
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES)
  await page.getByLabel('Só as que faltam').check()
  expect(await page.getByRole('article').count()).toBe(1)
  await next('Fazer a prova').click()
  await page.waitForURL(`${app.url}/cameras/${ids.at(-1)}/prova-e-saude/prova?instalacao=true`)
  await admin.expect(201, 'POST', `/api/v1/cameras/${ids.at(-1)}/provas`, { duracao_s: 60, aprovada: true })
  await open()
  await page.getByRole('heading', { name: 'Instalação pronta' }).waitFor()
})

it('prints every camera and lines to sign, and no control', async () => {
  expect(CAMERAS).toBeLessThan(MAX_CAMERAS_INSTALACAO)
  await page.setViewportSize(A4)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  await page.getByText('Registro da instalação de Mercado Bom Preço').waitFor()
  expect(await page.getByRole('article').count()).toBe(CAMERAS)
  await page.getByText('Recebido por').waitFor()
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
  const cut = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate<number>(cut)).toBe(0)
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  await page.emulateMedia({ media: 'screen' })
})

it('is closed to a login that installs nothing', async ({ openContext }) => {
  const context = await openContext({ viewport: { width: 390, height: 844 }, locale: 'pt-BR' })
  await context.request.post(`${app.url}/api/v1/auth/login`, {
    form: { username: `usuario-${empresaId}`, password: SENHA },
  })
  const other = await context.newPage()
  await other.goto(`${app.url}/instalacao`)
  await other.getByText('Só um administrador acompanha a instalação.').waitFor()
  expect(await other.getByRole('link', { name: 'Instalação', exact: true }).count()).toBe(0)
})
