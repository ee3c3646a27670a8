import { rm } from 'node:fs/promises'
import type { Edge } from '@vigia/contracts/edges'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { type Account, startTestApp, type TestApp } from './test-app.ts'

/** The whole way to a device: a cloud, a broker and the edge program of one Empresa, the last two each a process of its own. */
export interface AppWithEdge {
  readonly app: TestApp
  readonly edge: Program
  readonly edgeId: number
  /** The Empresa whose edge it is. */
  readonly own: Account
  stop(): Promise<void>
}

/** Resolves once the edge is online. It probes 127.0.0.1 alone, the cloud lets all of 127.0.0.0/8 pass. */
export async function startAppWithEdge(cloudEnv: Readonly<Record<string, string>> = {}): Promise<AppWithEdge> {
  const mqttPort = await freePort()
  const mqttUrl = `mqtts://127.0.0.1:${mqttPort}`
  const app = await startTestApp({ VIGIA_MQTT_URL: mqttUrl, VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8', ...cloudEnv })
  const env = { VIGIA_DATA_DIR: app.dataDir, VIGIA_MQTT_PORT: String(mqttPort), VIGIA_LOG_LEVEL: 'warn' }
  const broker = await startProgram({ entry: 'apps/broker/src/main.ts', env })
  const own = await app.account('Própria')
  const made = await own.admin.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
  const edgeDir = temporaryFolder('vigia-edge-')
  const edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: {
      VIGIA_EDGE_DATA_DIR: edgeDir,
      VIGIA_CLOUD_URL: app.url,
      VIGIA_ATIVACAO_CODIGO: made.codigo,
      // Narrower than the cloud's: what the cloud lets pass is judged again where the connection is made.
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.1/32',
    },
  })
  await waitFor('the edge to be online', async () => {
    const { status } = await own.admin.expect<Edge>(200, 'GET', `/api/v1/edges/${made.id}`)
    return status === 'online'
  })
  return {
    app,
    edge,
    edgeId: made.id,
    own,
    async stop() {
      await edge.stop()
      await app.stop()
      await broker.stop()
      await rm(edgeDir, { recursive: true, force: true })
    },
  }
}
