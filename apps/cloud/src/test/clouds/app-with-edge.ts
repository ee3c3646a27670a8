import { rm } from 'node:fs/promises'
import type { Edge } from '@vigia/contracts/edges'
import { type Program, startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { startAppWithBroker } from './app-with-broker.ts'
import type { Account, TestApp } from './test-app.ts'

/** A cloud, a broker and the edge program of one Empresa. Broker and edge each run as a process. */
export interface AppWithEdge {
  readonly app: TestApp
  readonly edge: Program
  readonly edgeId: number
  /** The Empresa that owns the edge. */
  readonly own: Account
  stop(): Promise<void>
}

/**
 * Resolves when the edge is online. The edge probes only 127.0.0.1 and the broadcast address, to which no route leads.
 * The cloud accepts all of 127.0.0.0/8.
 */
export async function startAppWithEdge(cloudEnv: Readonly<Record<string, string>> = {}): Promise<AppWithEdge> {
  const app = await startAppWithBroker({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8', ...cloudEnv })
  const own = await app.account('Própria')
  const made = await own.admin.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
  const edgeDir = temporaryFolder('vigia-edge-')
  const edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: {
      VIGIA_EDGE_DATA_DIR: edgeDir,
      VIGIA_CLOUD_URL: app.url,
      VIGIA_ATIVACAO_CODIGO: made.codigo,
      // Narrower than the policy of the cloud: the edge checks an address again before it connects.
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.1/32,127.255.255.255/32',
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
      await rm(edgeDir, { recursive: true, force: true })
    },
  }
}
