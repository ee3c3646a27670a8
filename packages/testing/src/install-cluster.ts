import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from './api.ts'
import { freePort } from './free-port.ts'
import {
  cloudEnv,
  type Installation,
  type InstallationShape,
  OPERATOR,
  type ProgramEntry,
  prepareData,
  startLines,
} from './installation.ts'
import { startMosquitto } from './mosquitto.ts'
import { type MovableLine, startMovableLine } from './movable-line.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { type Program, startProgram } from './program.ts'

/** One replica of the cloud with its own line to the database. */
export interface ReplicaProcess {
  program: Program
  readonly database: MovableLine
  /** `replacement`: the program of this and of all later starts. */
  start(replacement?: ProgramEntry): Promise<void>
}

/** Replicas of the cloud on one PostgreSQL behind a balancer, with a broker and an edge. */
export interface Cluster extends Installation {
  readonly replicas: readonly ReplicaProcess[]
  readonly postgres: PostgresServer
}

export interface ClusterShape {
  /** Replicas. */
  readonly count: number
  /** Starts the load balancer in front of the replicas on these ports. */
  readonly startFront: (ports: readonly number[]) => Promise<{ readonly port: number; close(): Promise<void> }>
  /** Settings of the media store; empty: a folder that all replicas share. */
  readonly media?: Readonly<Record<string, string>>
}

const KEY = Buffer.alloc(32, 9).toString('base64')

/** Starts replicas in place of the one cloud of `startInstallation`. */
export const clusterInstaller =
  ({ count, startFront, media = {} }: ClusterShape) =>
  async (env: Record<string, string> = {}, shape: InstallationShape = {}): Promise<Cluster> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'vigia-cluster-'))
    const edgeDir = join(dataDir, 'edge')
    const [mqttPort, internalPort] = [await freePort(), await freePort()]
    const postgres = await startPostgres({ durable: true, settings: { max_connections: '100' } })
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    const witnessed = { VIGIA_TEST_CONFIRMA: '1', VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' }
    const common = { VIGIA_LOG_LEVEL: 'info', ...witnessed, ...env }
    await prepareData({ ...common, VIGIA_DATA_DIR: dataDir })
    const lines = shape.lines ? await startLines({ dataDir, edgeDir, mqttPort, ...shape.lines }) : null
    const entries = { ...shape.programs }
    const isMosquitto = shape.broker === 'mosquitto'
    const brokerPort = isMosquitto ? internalPort : mqttPort

    const replicas: ReplicaProcess[] = []
    for (const [number, port] of ports.entries()) {
      const folder = number === 0 ? dataDir : join(dataDir, `replica-${number + 1}`)
      if (number > 0) {
        await mkdir(join(folder, 'cloud'), { recursive: true })
        if (Object.keys(media).length === 0)
          await shareFolder(join(dataDir, 'cloud/media'), join(folder, 'cloud/media'))
      }
      const database = await startMovableLine(postgres.port)
      const url = new URL(postgres.urlOf('postgres'))
      url.port = String(database.port)
      let program: ProgramEntry = entries.cloud ?? { entry: 'apps/cloud/src/main.ts' }
      const start = () =>
        startProgram({
          ...program,
          logFile: join(dataDir, `cloud-${number + 1}.log`),
          env: {
            ...common,
            ...media,
            VIGIA_DATA_DIR: folder,
            VIGIA_CHAVE: KEY,
            VIGIA_BANCO: url.href,
            VIGIA_DRENAGEM_S: '1',
            PORT: String(port),
            VIGIA_REPLICA_URL: `http://127.0.0.1:${port}`,
            VIGIA_MQTT_URL: `mqtts://127.0.0.1:${brokerPort}`,
            VIGIA_MQTT_URL_EDGES: `mqtts://127.0.0.1:${lines?.edge.port ?? mqttPort}`,
            ...cloudEnv,
            // The code of the local edge is a file of the first replica.
            VIGIA_EDGE_LOCAL: number === 0 ? '1' : '0',
          },
        })
      const replica = {
        database,
        program: await start(),
        async start(replacement?: ProgramEntry) {
          program = replacement ?? program
          replica.program = await start()
        },
      }
      replicas.push(replica)
    }

    const front = await startFront(ports)
    const base = `http://127.0.0.1:${front.port}`
    const brokerDir = join(dataDir, 'broker-machine')
    for (const name of ['broker/tls', 'pki'])
      await cp(join(dataDir, name), join(brokerDir, name), { recursive: true }).catch(() => {})
    const launch = {
      broker: () =>
        isMosquitto
          ? startMosquitto({ dataDir, port: mqttPort, internalPort })
          : startProgram({
              entry: 'apps/broker/src/main.ts',
              logFile: join(dataDir, 'broker.log'),
              env: { ...common, VIGIA_DATA_DIR: brokerDir, VIGIA_MQTT_PORT: String(mqttPort) },
            }),
      edge: () =>
        startProgram({
          entry: 'apps/edge/src/main.ts',
          ...entries.edge,
          logFile: join(dataDir, 'edge.log'),
          env: {
            ...common,
            VIGIA_DATA_DIR: dataDir,
            VIGIA_CLOUD_URL: base,
            VIGIA_ATIVACAO_ARQUIVO: join(dataDir, 'cloud/edge-local.codigo'),
          },
        }),
    }
    const programs = { broker: await launch.broker() } as Installation['programs']
    Object.defineProperty(programs, 'cloud', { get: () => replicas[0]?.program })
    programs.edge = await launch.edge()
    return {
      dataDir,
      edgeDir,
      base,
      programs,
      replicas,
      postgres,
      get banco() {
        return postgres.url
      },
      // The lines of the replicas lead to the database.
      lines: lines && { edge: lines.edge, cloud: lines.edge },
      async start(name, replacement) {
        if (name === 'edge' && replacement) entries.edge = replacement
        if (name === 'cloud') await replicas[0]?.start(replacement)
        else programs[name] = await launch[name]()
      },
      signIn: () => signIn(base, OPERATOR.username, OPERATOR.password),
      async close({ keepFiles } = { keepFiles: false }) {
        await programs.edge.stop()
        await Promise.all(replicas.map(({ program }) => program.stop()))
        await programs.broker.stop()
        await Promise.all([lines?.cloud.close(), lines?.edge.close(), front.close()])
        await Promise.all(replicas.map(({ database }) => database.close()))
        await postgres.close()
        if (!keepFiles) await rm(dataDir, { recursive: true, force: true })
      },
    }
  }

async function shareFolder(folder: string, link: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await symlink(folder, link)
}
