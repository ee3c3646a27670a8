import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import type { TlsIdentity } from '@vigia/link/session'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { freePort } from '@vigia/testing/free-port'
import { startPostgres } from '@vigia/testing/postgres-server'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { databaseFile } from '../../src/db/place.ts'
import { type Client, signIn } from '../../src/test/clients/client.ts'
import { type Account, ADMIN, createAccount, SENHA } from '../../src/test/clouds/test-app.ts'
import { activateEdge } from '../../src/test/stand-ins/activated-edge.ts'
import { startSupervised } from './supervised-program.ts'

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
  /** Database of the cloud, for `openDatabase`. */
  readonly place: string
  readonly dataDir: string
  readonly operator: Client
  readonly honest: Tenant
  readonly hostile: Tenant
  /** Ends of broker and cloud so far; both are started again. */
  restarts(): number
  stop(): Promise<void>
}

export type Banco = 'sqlite' | 'postgres'

/** One for each attack that sends records, so that their record numbers do not collide. */
const CAMERAS = 4

/** Starts an installation with a new data folder on the disk. PostgreSQL commits durably. */
export async function openStage(banco: Banco): Promise<Stage> {
  const dataDir = temporaryDiskFolder('vigia-neighbours-')
  const ends: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    await ensureInstallationPki({ dir: dataDir, brokerHosts: [] })
    const server = banco === 'postgres' ? await startPostgres({ durable: true }) : null
    if (server) ends.push(() => server.close())
    const [mqttPort, port] = [await freePort(), await freePort()]
    const env = { VIGIA_DATA_DIR: dataDir, VIGIA_LOG_LEVEL: 'warn' }
    const broker = await startSupervised({
      entry: 'apps/broker/src/main.ts',
      logFile: join(dataDir, 'broker.log'),
      env: { ...env, VIGIA_MQTT_PORT: String(mqttPort) },
    })
    ends.push(() => broker.stop())
    const url = `http://127.0.0.1:${port}`
    const cloud = await startSupervised({
      entry: 'apps/cloud/src/main.ts',
      logFile: join(dataDir, 'cloud.log'),
      env: {
        ...env,
        PORT: String(port),
        VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
        VIGIA_ADMIN_USERNAME: ADMIN.username,
        VIGIA_ADMIN_PASSWORD: ADMIN.password,
        ...(server && { VIGIA_BANCO: server.url, VIGIA_DRENAGEM_S: '0', VIGIA_REPLICA_URL: url }),
      },
    })
    ends.push(() => cloud.stop())
    const operator = await signIn(url, ADMIN.username, ADMIN.password)
    const honest = await openTenant('Vizinha', url, operator)
    const hostile = await openTenant('Hostil', url, operator)
    const place = server?.url ?? databaseFile(join(dataDir, 'cloud'))
    const restarts = () => broker.restarts() + cloud.restarts()
    return { url, mqttPort, place, dataDir, operator, honest, hostile, restarts, stop }
  } catch (error) {
    await stop()
    throw error
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
