import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TlsIdentity } from '@vigia/link/session'
import { freePort } from '@vigia/testing/free-port'
import { OPERATOR } from '@vigia/testing/installation'
import { mosquittoProgram, startMosquitto } from '@vigia/testing/mosquitto'
import { startPostgres } from '@vigia/testing/postgres-server'
import { type Program, startProgram } from '@vigia/testing/program'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { type OnProgress, runWork } from './work.ts'

export interface SeededLogin {
  readonly username: string
  readonly token: string
}

export interface SeededEdge {
  readonly id: number
  readonly cameraId: number
  readonly identity: TlsIdentity
}

interface SeededEmpresa {
  readonly id: number
  readonly logins: readonly SeededLogin[]
  readonly edges: readonly SeededEdge[]
}

/** An installation of real processes: broker, cloud, on request PostgreSQL. */
export interface Stage {
  readonly mqttUrl: string
  readonly empresas: readonly SeededEmpresa[]
  /** URL of the process of the cloud that runs all the time. */
  readonly base: string
  /** URL of PostgreSQL; null: SQLite. */
  readonly banco: string | null
  /** Starts another process of the cloud, with PostgreSQL only. `close` stops it if it runs. */
  addReplica(): Promise<Program>
  close(): Promise<void>
}

export interface StageOptions {
  readonly banco: 'sqlite' | 'postgres'
  readonly empresas: number
  readonly loginsPerEmpresa: number
  readonly edgesPerEmpresa: number
  /** Whether the verifier confirms every event at once; else the verdicts never come. */
  readonly confirms: boolean
}

/** Password of every seeded login. */
export const PASSWORD = 'senha-da-medida-1'
/** Key of the stored secrets. */
const KEY = Buffer.alloc(32, 7).toString('base64')

/** Starts an installation with a new data folder on the disk. PostgreSQL commits durably. */
export async function openStage(options: StageOptions, onProgress: OnProgress): Promise<Stage> {
  const dataDir = temporaryDiskFolder('vigia-medida-')
  const ends: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const banco = options.banco === 'postgres' ? await startDatabase(ends) : null
    const { empresas, loginsPerEmpresa, edgesPerEmpresa } = options
    const seed = { dataDir, banco, empresas, loginsPerEmpresa, edgesPerEmpresa, password: PASSWORD, key: KEY }
    await runWork('seed-program.ts', seed, onProgress)
    const mqttPort = await freePort()
    const internalPort = await freePort()
    const broker = await startBroker(dataDir, mqttPort, internalPort)
    ends.push(() => broker.stop())
    // On PostgreSQL the cloud is a named replica, which mosquitto serves on its inner listener.
    const cloudPort = banco === null || mosquittoProgram === null ? mqttPort : internalPort
    const shared = { ...cloudSettings(options), VIGIA_MQTT_URL: `mqtts://127.0.0.1:${cloudPort}` }
    const { base, program } = await startCloud(dataDir, shared, banco)
    ends.push(() => program.stop())
    const addReplica = async () => {
      // The first process has stored the keys of the installation in the database.
      const ownDir = temporaryDiskFolder('vigia-medida-')
      ends.push(() => rm(ownDir, { recursive: true, force: true }))
      await mkdir(join(ownDir, 'cloud'), { mode: 0o700 })
      // Stands for the object storage of an installation with several machines.
      await symlink(join(dataDir, 'cloud/media'), join(ownDir, 'cloud/media'))
      const added = (await startCloud(ownDir, shared, banco)).program
      ends.push(() => added.stop())
      return added
    }
    const seeded = await readFrota(dataDir)
    return { base, banco, mqttUrl: `mqtts://127.0.0.1:${mqttPort}`, empresas: seeded, addReplica, close }
  } catch (error) {
    await close()
    throw error
  }
}

const cloudSettings = ({ confirms }: StageOptions) => ({
  VIGIA_CHAVE: KEY,
  VIGIA_LOG_LEVEL: 'warn',
  VIGIA_TEST_CONFIRMA: confirms ? '1' : '0',
  VIGIA_ADMIN_USERNAME: OPERATOR.username,
  VIGIA_ADMIN_PASSWORD: OPERATOR.password,
  // The rates of an edge are no part of the measurement.
  VIGIA_REGISTROS_SEGUNDO_EDGE: '1000000',
  VIGIA_KB_SEGUNDO_EDGE: '1000000',
  VIGIA_EVENTOS_MINUTO_CAMERA: '100000',
  VIGIA_EVENTOS_MINUTO_EDGE: '100000',
})

async function startCloud(dataDir: string, settings: Readonly<Record<string, string>>, banco: string | null) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const program = await startProgram({
    entry: 'apps/cloud/src/test/unverifying-cloud.ts',
    readyMs: 120_000,
    env: {
      ...settings,
      VIGIA_DATA_DIR: dataDir,
      PORT: String(port),
      ...(banco !== null && { VIGIA_BANCO: banco, VIGIA_DRENAGEM_S: '0', VIGIA_REPLICA_URL: base }),
    },
  })
  return { base, program }
}

async function startDatabase(ends: (() => Promise<unknown>)[]): Promise<string> {
  const server = await startPostgres({ durable: true })
  ends.push(() => server.close())
  return server.url
}

/** mosquitto if it is installed: the embedded broker accepts 4,096 connections. */
const startBroker = (dataDir: string, port: number, internalPort: number): Promise<Program> =>
  mosquittoProgram === null
    ? startProgram({
        entry: 'apps/broker/src/main.ts',
        env: { VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_PORT: String(port), VIGIA_LOG_LEVEL: 'warn' },
      })
    : startMosquitto({ dataDir, port, internalPort })

async function readFrota(dataDir: string): Promise<SeededEmpresa[]> {
  const { ca, key, empresas } = JSON.parse(await readFile(join(dataDir, 'frota.json'), 'utf8')) as {
    ca: string
    key: string
    empresas: (Omit<SeededEmpresa, 'edges'> & { edges: { id: number; cameraId: number; cert: string }[] })[]
  }
  return empresas.map(({ edges, ...rest }) => ({
    ...rest,
    edges: edges.map(({ id, cameraId, cert }) => ({ id, cameraId, identity: { ca, cert, key } })),
  }))
}
