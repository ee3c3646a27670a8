import { fileURLToPath } from 'node:url'
import { startAppWithBroker } from '../../src/test/clouds/app-with-broker.ts'
import { openBackstage } from '../../src/test/clouds/backstage.ts'
import { SENHA, type TestApp } from '../../src/test/clouds/test-app.ts'
import { JPEG } from '../../src/test/records/records.ts'
import { type StandInEdge, startStandInEdge } from '../../src/test/stand-ins/stand-in-edge.ts'
import { openGuardPage, type Page } from '../guard-page.ts'

const CAMERAS = 16
/** Real time between two pictures of the edge: about 1,600 of 16 cameras in 12 hours at 48 times the speed. */
const PICTURE_MS = 500
/** Heartbeats in real time, often enough for a page whose clock runs fast. */
const HEARTBEAT_MS = 100

/** A cloud, an edge that sends pictures of 16 cameras, and Plantão of a vigilante in Chromium with its own clock. */
export interface Stage {
  readonly app: TestApp
  readonly page: Page
  /** Errors of the page and lines of its console. */
  readonly problems: readonly string[]
  /** Stores a confirmed event of one of the cameras. */
  alert(turn: number): Promise<void>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const env = {
    VIGIA_PAINEL_DIR: fileURLToPath(new URL('../../../dashboard/dist', import.meta.url)),
    VIGIA_SESSAO_MAX_H: '24',
    VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
  }
  const app = await startAppWithBroker(env, { streams: { heartbeatMs: HEARTBEAT_MS } })
  const backstage = await openBackstage(app)
  const own = await app.account('Portaria')
  await own.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'rui', senha: SENHA, papel: 'vigilante' })
  const rui = await app.signIn('rui')
  const edge = await startStandInEdge(own.admin, app.url)
  const cameras = await addCameras(own.admin, edge)
  const stopPictures = sendPictures(edge)
  const { page, close: closeBrowser } = await openGuardPage(app.url, rui.token)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`script: ${error.stack ?? error.message}`))
  page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`))
  await page.clock.install({ time: app.clock.now() })
  await page.goto(app.url)
  await page.getByRole('heading', { level: 1 }).waitFor()

  return {
    app,
    page,
    problems,
    async alert(turn) {
      const cameraId = cameras[turn % cameras.length] ?? 0
      const id = await backstage.event({ empresaId: own.empresaId, edgeId: edge.id, cameraId })
      await backstage.verdict(id, 'confirmado')
    },
    async close() {
      stopPictures()
      await closeBrowser()
      await edge.stop()
      await backstage.close()
      await app.stop()
    },
  }
}

async function addCameras(by: TestApp['operator'], edge: StandInEdge): Promise<number[]> {
  const ids: number[] = []
  for (let i = 1; i <= CAMERAS; i += 1) {
    const camera = { nome: `Câmera ${i}`, rtsp_url: `rtsp://127.0.0.1:1/${i}`, edge_id: edge.id }
    ids.push((await by.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)).id)
  }
  await edge.report(ids)
  return ids
}

/** Sends the pictures that the last command asks for, until the returned function is called. */
function sendPictures(edge: StandInEdge): () => void {
  const timer = setInterval(() => {
    const order = edge.commands.findLast((one) => one.acao === 'enviar_miniaturas')
    if (order?.acao !== 'enviar_miniaturas') return
    for (const { camera_id } of order.cameras)
      edge.link.publishLiveFrame({ v: 1, camera_id, largura: 16, altura: 12, miniatura: true }, JPEG)
  }, PICTURE_MS)
  return () => clearInterval(timer)
}
