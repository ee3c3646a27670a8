import { afterAll, expect } from 'vitest'
import { type Backstage, openBackstage, type SeededCamera } from '../../../../test/clouds/backstage.ts'
import { it, PAINEL, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { SENHA, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'

let app: TestApp
let backstage: Backstage
let page: Page
let camera: SeededCamera

it.beforeAll(async ({ openContext }) => {
  app = await startTestApp({ VIGIA_PAINEL_DIR: PAINEL })
  const { empresaId } = await app.account('Padaria')
  backstage = await openBackstage(app)
  camera = await backstage.camera(empresaId)
  const context = await openContext({ viewport: { width: 390, height: 844 }, locale: 'pt-BR' })
  const form = { username: `administrador-${empresaId}`, password: SENHA }
  await context.request.post(`${app.url}/api/v1/auth/login`, { form })
  page = await context.newPage()
})
afterAll(async () => {
  await backstage?.close()
  await app?.stop()
})

const underWay = async () => {
  const rows = backstage.db.selectFrom('janelas_prova').select('id').where('camera_id', '=', camera.cameraId)
  return (await rows.where('fim', '>', app.clock.now()).execute()).length
}

it('says that the box did not arm, and marks the events of the walk test on each screen', async () => {
  await page.goto(`${app.url}/cameras/${camera.cameraId}/prova-e-saude/prova`)
  await page.getByText('Durante a prova a caixa arma, a qualquer hora: ').waitFor()
  await page.getByRole('button', { name: 'Começar a prova' }).click()
  await page.getByText('A caixa não armou a câmera').waitFor()
  expect(await underWay()).toBe(1)
  const evento = await backstage.event(camera)
  await backstage.verdict(evento, 'confirmado')
  await page.goto(app.url)
  await page.getByRole('heading', { name: /^Prova: / }).waitFor()
  await page.goto(`${app.url}/eventos/${evento}`)
  await page.locator('article').getByText('Prova', { exact: true }).waitFor()
  await page.goto(`${app.url}/cameras/${camera.cameraId}/eventos`)
  await page.getByRole('list', { name: 'Eventos' }).getByText('Prova', { exact: true }).waitFor()
})

it('is left out of a search, or searched alone', async () => {
  const results = page.getByRole('list', { name: 'Resultados' }).getByRole('listitem')
  await page.goto(`${app.url}/busca?prova=so`)
  await results.getByText(/^Prova · /).waitFor()
  await page.getByLabel('Provas de caminhada').selectOption('Sem as provas')
  await page.waitForURL(`${app.url}/busca?prova=sem`)
  await results.first().waitFor({ state: 'detached' })
})
