import type { RecorderProcess } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import type { Browser } from 'playwright-core'
import { openScreen, type Screen } from './screen.ts'
import type { Stopwatch } from './stopwatch.ts'

const EMPRESA = 'Minha empresa'
const CAMERA = 'Portão'
/** Nearly the whole picture, as fractions. */
const ZONA = [
  [0.05, 0.1],
  [0.95, 0.1],
  [0.95, 0.95],
  [0.05, 0.95],
] as const
/** The recorded scene has a person in every minute. */
const ALERT_MS = 180_000
/** Plantão ignores answers in the first moment after a selection (use-plantao-keys.ts). */
const SETTLE_MS = 400

interface Installed {
  readonly base: string
  readonly login: { readonly username: string; readonly password: string }
  readonly recorder: RecorderProcess
  readonly browser: Browser
}

/** From the sign-in to the answered alert of a new camera, as an installer and a guard work. */
export async function addFirstCamera(stopwatch: Stopwatch, installed: Installed): Promise<void> {
  const { browser, recorder } = installed
  const { step, actions } = stopwatch
  const screen = await openScreen(browser, actions)
  const { page, click, fill } = screen
  const main = page.getByRole('main')
  const tab = (name: string) => click(page.getByRole('link', { name, exact: true }))
  const navigate = (name: string) => click(page.getByRole('navigation').getByRole('link', { name, exact: true }))
  const save = async () => {
    await click(page.getByRole('button', { name: 'Salvar', exact: true }))
    await page.getByText('Tudo salvo.').waitFor()
  }
  const picture = page.getByRole('img', { name: /^Imagem ao vivo da câmera/ })

  await step('sign in', () => signIn(screen, installed))
  await step('search of the recorder', async () => {
    await navigate('Gravadores')
    await click(page.getByRole('link', { name: 'Adicionar gravador' }).first())
    await fill(main.getByLabel('Nome da nova Empresa'), EMPRESA)
    await fill(main.getByLabel('Endereço IP ou nome'), '127.0.0.1')
    await fill(main.getByLabel('Porta RTSP'), String(recorder.porta))
    await fill(main.getByLabel('Usuário do gravador'), recorder.usuario)
    await fill(main.getByLabel('Senha do gravador'), recorder.senha)
    await fill(main.getByLabel('Número de canais'), '1')
    await click(main.getByRole('button', { name: 'Procurar câmeras' }))
    await main.getByRole('img', { name: 'Imagem do canal 1' }).waitFor()
  })
  await step('camera added', async () => {
    await fill(main.getByLabel('Nome da câmera do canal 1 (opcional)'), CAMERA)
    await click(main.getByRole('button', { name: 'Continuar' }))
    await click(main.getByRole('button', { name: 'Adicionar 1 câmera' }))
    await main.getByText('1 câmera em 1 canais').waitFor()
  })
  await step('camera online', async () => {
    await navigate('Câmeras')
    const card = page.getByRole('article', { name: CAMERA })
    await card.getByText('Online', { exact: true }).waitFor()
    await click(card.getByRole('link', { name: CAMERA }))
    await page.getByLabel(/^Vídeo ao vivo da câmera/).waitFor()
  })
  await step('zone drawn on the picture', async () => {
    await tab('O que vigia')
    await tab('Zonas e linha')
    await picture.waitFor()
    await click(page.getByRole('button', { name: 'Desenhar zona' }))
    for (const point of ZONA) await screen.clickAt(picture, point)
    await click(page.getByRole('button', { name: 'Concluir zona' }))
    await page.getByRole('button', { name: 'Zona 1', exact: true }).waitFor()
    await save()
  })
  await step('IA on', async () => {
    await tab('O que vigia')
    await click(main.getByRole('switch', { name: 'Permanência' }))
    await save()
  })
  const second = await openScreen(browser, actions)
  const panel = second.page.getByRole('article').first()
  await step('second screen at Plantão', async () => {
    await signIn(second, installed)
    await second.choose(second.page.getByLabel('Empresa', { exact: true }), EMPRESA)
    await second.page.waitForURL(/[?&]empresa=/)
    await panel.or(second.page.getByText('Nada esperando resposta')).waitFor()
    // A key acts on the page once the focus has left the field.
    await second.click(second.page.getByRole('heading', { name: 'Plantão' }))
  })
  const before = await shownAlerts(second)
  await step('test: alert on the screen of the test', async () => {
    await tab('Prova e saúde')
    await tab('Prova')
    await click(page.getByRole('button', { name: 'Começar a prova' }))
    const passed = page.getByRole('list', { name: 'Passos da prova' }).locator('[data-done]')
    for (const text of [/^Alerta confirmado nesta tela/, /^Zona 1: tocada/])
      await passed.filter({ has: page.getByText(text) }).waitFor({ timeout: ALERT_MS })
  })
  await step('the same alert on the second screen', async () => {
    await waitFor('the alert', async () => (await shownAlerts(second)) !== before, { everyMs: 20 })
    await panel.getByText(CAMERA, { exact: true }).waitFor()
    await panel.getByText('Confirmado', { exact: true }).waitFor()
    await panel.getByText('Sem resposta').waitFor()
  })
  await step('alert to answered', async () => {
    await second.page.waitForTimeout(SETTLE_MS)
    await second.press('v')
    await panel.getByText(`Verdadeiro: atendido por ${installed.login.username} às`).waitFor()
  })
}

async function signIn({ page, open, fill, click }: Screen, { base, login }: Installed): Promise<void> {
  await open(base)
  await fill(page.getByLabel('Usuário'), login.username)
  await fill(page.getByLabel('Senha', { exact: true }), login.password)
  await click(page.getByRole('button', { name: 'Entrar' }))
  await page.getByRole('heading', { name: 'Plantão' }).waitFor()
}

/** Number of cards, text of the button for new ones, number of events of the selected incidente. */
async function shownAlerts({ page }: Screen): Promise<string> {
  const cards = page.getByRole('list', { name: 'Fila de incidentes' }).getByRole('listitem')
  const news = page.getByRole('button', { name: /^\d+ novos?$/ })
  const eventos = page.getByRole('article').getByText(/\d+ eventos?$/)
  const texts = [...(await news.allTextContents()), ...(await eventos.allTextContents())]
  return [await cards.count(), ...texts].join(', ')
}
