import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { testPlace } from './template.ts'
import { startTestApp, type TestApp } from './test-app.ts'

/** Replicas of one cloud in this process, on one PostgreSQL database and one broker, each with its own folder. */
export interface Cluster {
  readonly replicas: readonly TestApp[]
  readonly broker: Program
  /** Starts another replica with an empty data folder. `own`: its own settings. */
  join(own?: Readonly<Record<string, string>>): Promise<TestApp>
  stop(): Promise<void>
}

/** All replicas open the secrets of the installation with this key. */
const KEY = Buffer.alloc(32, 5).toString('base64')

/** Settings of one replica, which the others reach at its port. */
async function withAddress(env: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const PORT = env.PORT ?? String(await freePort())
  return { PORT, VIGIA_REPLICA_URL: `http://127.0.0.1:${PORT}`, ...env }
}

/** @param startBroker starts another broker, with the TLS files in a folder; `env` names its addresses */
export async function startCluster(
  count: number,
  env: Readonly<Record<string, string>> = {},
  startBroker?: (brokerDir: string, first: TestApp) => Promise<Program>,
): Promise<Cluster> {
  const mqttPort = String(await freePort())
  const shared = {
    VIGIA_CHAVE: KEY,
    VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
    ...env,
  }
  const first = await startTestApp(await withAddress(shared))
  // The broker has a folder of its own, like on another machine.
  const brokerDir = temporaryFolder('vigia-broker-')
  await mkdir(join(brokerDir, 'pki'), { recursive: true })
  for (const name of ['broker/tls', 'pki'])
    await cp(join(first.dataDir, name), join(brokerDir, name), { recursive: true })
  const startEmbedded = () =>
    startProgram({
      entry: 'apps/broker/src/main.ts',
      env: { VIGIA_DATA_DIR: brokerDir, VIGIA_MQTT_PORT: mqttPort, VIGIA_LOG_LEVEL: 'warn' },
    })
  const broker = await (startBroker?.(brokerDir, first) ?? startEmbedded())
  const banco = { VIGIA_BANCO: await testPlace(join(first.dataDir, 'cloud/vigia.db')) }
  const replicas = [first]
  const cluster: Cluster = {
    replicas,
    broker,
    async join(own) {
      const replica = await startTestApp(await withAddress({ ...shared, ...banco, ...own }), { empty: true })
      replicas.push(replica)
      return replica
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await broker.stop()
      await rm(brokerDir, { recursive: true, force: true })
    },
  }
  while (replicas.length < count) await cluster.join()
  return cluster
}
