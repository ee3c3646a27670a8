import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Api, signIn } from './api.ts'
import { type FaultyProxy, type ProxyIdentity, startFaultyProxy } from './faulty-proxy.ts'
import { freePort } from './free-port.ts'
import { startMosquitto } from './mosquitto.ts'
import { type Program, runProgram, startProgram } from './program.ts'
import { emptyDatabaseUrl, onPostgres } from './test-databases.ts'

export const programNames = ['broker', 'cloud', 'edge'] as const
export type ProgramName = (typeof programNames)[number]

/** Broker, cloud and local edge as real processes on free ports and a fresh data folder, as `npm start` runs them. */
export interface Installation {
  readonly dataDir: string
  /** Folder with the identity and outbox of the edge. */
  readonly edgeDir: string
  readonly base: string
  /** URL of the cloud's PostgreSQL database; absent: SQLite in the data folder. */
  readonly banco?: string
  readonly programs: Record<ProgramName, Program>
  /** The faulty proxies before the broker, if the options request them. */
  readonly lines: Record<'cloud' | 'edge', FaultyProxy> | null
  /** `replacement`: the program of this and of all later starts. The broker has none. */
  start(name: ProgramName, replacement?: ProgramEntry): Promise<void>
  signIn(): Promise<Api>
  /** Stops all programs and removes the data unless `keepFiles` is set. */
  close(options?: { readonly keepFiles: boolean }): Promise<void>
}

/** A program: path below the repository root or file URL, and arguments. */
export interface ProgramEntry {
  readonly entry: string
  readonly args?: readonly string[]
}

/** Differences from the installation of `npm start`. */
export interface InstallationShape {
  /** Replacements of programs. */
  readonly programs?: Partial<Record<'cloud' | 'edge', ProgramEntry>>
  /** mosquitto from the Debian package, with the configuration of `deploy/mosquitto`. */
  readonly broker?: 'mosquitto'
  /** Faulty proxies between broker and cloud, and between broker and edge, with this random source. */
  readonly lines?: { random(): number }
  /** Port at which the edge reaches the cloud on `port`; default: `port`. */
  readonly uplink?: (port: number) => Promise<number>
  /** Called before any program starts, with the new data folder and the future port of the broker. */
  readonly prepareData?: (dataDir: string, ports: { readonly mqttPort: number }) => Promise<void>
  /** The operator in the data of `prepareData`; default: `OPERATOR`. */
  readonly operator?: { readonly username: string; readonly password: string }
}

export const OPERATOR = { username: 'admin', password: 'senha-de-teste-0k' } as const

/**
 * Environment variable of this process with a data folder to copy instead of creating keys and a database. Its operator
 * is `OPERATOR`.
 */
export const DATA_TEMPLATE = 'VIGIA_TEST_DATA_TEMPLATE'

/** Settings of the cloud that determine the content of a new data folder. */
export const cloudEnv = {
  VIGIA_EDGE_LOCAL: '1',
  VIGIA_ADMIN_USERNAME: OPERATOR.username,
  VIGIA_ADMIN_PASSWORD: OPERATOR.password,
} as const

export async function prepareData(env: Record<string, string>): Promise<void> {
  const { code, output } = await runProgram({ entry: 'apps/cloud/src/prepare.ts', env })
  if (code !== 0) throw new Error(`prepare failed: ${output}`)
}

export async function startInstallation(
  env: Record<string, string> = {},
  shape: InstallationShape = {},
): Promise<Installation> {
  // The template is sealed with its own VIGIA_CHAVE, has SQLite, and lacks the data of `prepareData`.
  const template = env.VIGIA_CHAVE || shape.prepareData || onPostgres() ? undefined : process.env[DATA_TEMPLATE]
  const dataDir = await mkdtemp(join(template === undefined ? tmpdir() : dirname(template), 'vigia-e2e-'))
  const edgeDir = join(dataDir, 'edge')
  const [port, mqttPort] = [await freePort(), await freePort()]
  const base = `http://127.0.0.1:${port}`
  const edgePort = (await shape.uplink?.(port)) ?? port
  const banco = onPostgres() ? await emptyDatabaseUrl(dataDir) : undefined
  const common = { VIGIA_DATA_DIR: dataDir, VIGIA_LOG_LEVEL: 'info', ...(banco && { VIGIA_BANCO: banco }), ...env }
  const programs = {} as Record<ProgramName, Program>
  const entries: Partial<Record<ProgramName, ProgramEntry>> = { ...shape.programs }

  const operator = shape.operator ?? OPERATOR
  await shape.prepareData?.(dataDir, { mqttPort })
  if (template === undefined) await prepareData(common)
  else await cp(template, dataDir, { recursive: true })
  const lines = shape.lines ? await startLines({ dataDir, edgeDir, mqttPort, ...shape.lines }) : null
  const mqttUrl = (portOfEnd: number = mqttPort) => `mqtts://127.0.0.1:${portOfEnd}`

  const launch: Record<ProgramName, () => Promise<Program>> = {
    broker: () =>
      shape.broker === 'mosquitto'
        ? startMosquitto({ dataDir, port: mqttPort })
        : startProgram({
            entry: 'apps/broker/src/main.ts',
            logFile: join(dataDir, 'broker.log'),
            env: { ...common, VIGIA_MQTT_PORT: String(mqttPort) },
          }),
    cloud: () =>
      startProgram({
        entry: 'apps/cloud/src/main.ts',
        ...entries.cloud,
        logFile: join(dataDir, 'cloud.log'),
        env: {
          ...common,
          PORT: String(port),
          VIGIA_MQTT_URL: mqttUrl(lines?.cloud.port),
          VIGIA_MQTT_URL_EDGES: mqttUrl(lines?.edge.port),
          ...cloudEnv,
          VIGIA_ADMIN_USERNAME: operator.username,
          VIGIA_ADMIN_PASSWORD: operator.password,
        },
      }),
    edge: () =>
      startProgram({
        entry: 'apps/edge/src/main.ts',
        ...entries.edge,
        logFile: join(dataDir, 'edge.log'),
        env: {
          ...common,
          VIGIA_CLOUD_URL: `http://127.0.0.1:${edgePort}`,
          VIGIA_ATIVACAO_ARQUIVO: join(dataDir, 'cloud/edge-local.codigo'),
        },
      }),
  }
  const start = async (name: ProgramName, replacement?: ProgramEntry) => {
    if (replacement) entries[name] = replacement
    programs[name] = await launch[name]()
  }

  const installation: Installation = {
    dataDir,
    edgeDir,
    base,
    programs,
    lines,
    start,
    ...(banco && { banco }),
    signIn: () => signIn(base, operator.username, operator.password),
    async close({ keepFiles } = { keepFiles: false }) {
      for (const name of ['edge', 'cloud', 'broker'] as const) await programs[name]?.stop()
      await Promise.all([lines?.cloud.close(), lines?.edge.close()])
      if (!keepFiles) await rm(dataDir, { recursive: true, force: true })
    },
  }
  await Promise.all([start('broker'), start('cloud')])
  await start('edge')
  return installation
}

/** Each proxy connects to the broker with the current certificate of the end that it replaces. */
export async function startLines(of: { dataDir: string; edgeDir: string; mqttPort: number; random(): number }) {
  const read = async (dir: string): Promise<ProxyIdentity> => {
    const pem = (name: string) => readFile(join(dir, `${name}.pem`), 'utf8')
    const [ca, cert, key] = await Promise.all([pem('ca'), pem('cert'), pem('key')])
    return { ca, cert, key }
  }
  const readEdge = async (): Promise<ProxyIdentity> => {
    const text = await readFile(join(of.edgeDir, 'identidade/identidade.json'), 'utf8')
    const { ca, certificado, chave_tls } = JSON.parse(text)
    return { ca, cert: certificado, key: chave_tls }
  }
  const server = await read(join(of.dataDir, 'broker/tls'))
  const line = (identity: () => Promise<ProxyIdentity>) =>
    startFaultyProxy({ server, upstream: { port: of.mqttPort, identity }, random: of.random })
  return { cloud: await line(() => read(join(of.dataDir, 'cloud/tls'))), edge: await line(readEdge) }
}
