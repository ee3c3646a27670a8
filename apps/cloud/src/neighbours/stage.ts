import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import type { TlsIdentity } from '@vigia/link/session'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { freePort } from '@vigia/testing/free-port'
import { startProgram } from '@vigia/testing/program'
import { activateEdge } from '../test/activated-edge.ts'
import { type Client, signIn } from '../test/client.ts'
import { type Account, ADMIN, createAccount, SENHA } from '../test/test-app.ts'

/** An Empresa with one connected edge and cameras on it. */
export interface Tenant extends Account {
  readonly edgeId: number
  readonly cameraIds: readonly number[]
  readonly identity: TlsIdentity
}

/** Link client of the edge; the caller starts it. */
export const linkOf = ({ edgeId, identity }: Pick<Tenant, 'edgeId' | 'identity'>, mqttPort: number): EdgeLink =>
  createEdgeLink({
    url: `mqtts://127.0.0.1:${mqttPort}`,
    edgeId,
    tls: () => identity,
    log: createMemoryLog(),
    backoff: { minMs: 200, maxMs: 1_000 },
  })

/** Broker and cloud as real processes, and two unrelated Empresas. */
export interface Stage {
  readonly url: string
  readonly mqttPort: number
  readonly honest: Tenant
  readonly hostile: Tenant
  stop(): Promise<void>
}

/** One for each attack that sends records, so that their record numbers do not collide. */
const CAMERAS = 4

export async function openStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-neighbours-'))
  await ensureInstallationPki({ dir: dataDir, brokerHosts: [] })
  const mqttPort = await freePort()
  const env = { VIGIA_DATA_DIR: dataDir, VIGIA_LOG_LEVEL: 'warn' }
  const broker = await startProgram({
    entry: 'apps/broker/src/main.ts',
    env: { ...env, VIGIA_MQTT_PORT: String(mqttPort) },
  })
  const cloud = await startProgram({
    entry: 'apps/cloud/src/main.ts',
    logFile: join(dataDir, 'cloud.log'),
    env: {
      ...env,
      PORT: '0',
      VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
      VIGIA_ADMIN_USERNAME: ADMIN.username,
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
    },
  })
  const url = `http://127.0.0.1:${cloud.porta}`
  const operator = await signIn(url, ADMIN.username, ADMIN.password)
  const honest = await openTenant('Vizinha', url, operator)
  const hostile = await openTenant('Hostil', url, operator)
  return {
    url,
    mqttPort,
    honest,
    hostile,
    async stop() {
      await cloud.stop()
      await broker.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function openTenant(nome: string, url: string, operator: Client): Promise<Tenant> {
  const account = await createAccount((username) => signIn(url, username, SENHA), nome, operator)
  const { admin } = account
  const { id: edgeId, identity } = await activateEdge(admin, url)
  const cameraIds: number[] = []
  for (let number = 1; number <= CAMERAS; number += 1) {
    const camera = { nome: `Câmera ${number}`, rtsp_url: `rtsp://127.0.0.1:9/${number}` }
    cameraIds.push((await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)).id)
  }
  return { ...account, edgeId, cameraIds, identity } satisfies Tenant
}
