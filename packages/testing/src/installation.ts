import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, signIn } from './api.ts'
import { freePort } from './free-port.ts'
import { type Program, runProgram, startProgram } from './program.ts'

/** Broker, cloud and local edge as real processes on free ports and a fresh data folder, as `npm start` runs them. */
export interface Installation {
  readonly dataDir: string
  readonly base: string
  readonly programs: Record<'cloud' | 'broker' | 'edge', Program>
  startCloud(): Promise<void>
  startBroker(): Promise<void>
  startEdge(): Promise<void>
  signIn(): Promise<Api>
  /** Stops everything that still runs and removes the data. */
  close(): Promise<void>
}

export const OPERATOR = { username: 'admin', password: 'senha-de-teste-0k' } as const

export async function startInstallation(env: Record<string, string> = {}): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-e2e-'))
  const [port, mqttPort] = [await freePort(), await freePort()]
  const base = `http://127.0.0.1:${port}`
  const common = { VIGIA_DATA_DIR: dataDir, VIGIA_LOG_LEVEL: 'info', ...env }
  const programs = {} as Record<'cloud' | 'broker' | 'edge', Program>
  const logFile = (name: string) => join(dataDir, `${name}.log`)

  const installation: Installation = {
    dataDir,
    base,
    programs,
    async startCloud() {
      programs.cloud = await startProgram({
        entry: 'apps/cloud/src/main.ts',
        logFile: logFile('cloud'),
        env: {
          ...common,
          PORT: String(port),
          VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
          VIGIA_EDGE_LOCAL: '1',
          VIGIA_ADMIN_USERNAME: OPERATOR.username,
          VIGIA_ADMIN_PASSWORD: OPERATOR.password,
        },
      })
    },
    async startBroker() {
      programs.broker = await startProgram({
        entry: 'apps/broker/src/main.ts',
        logFile: logFile('broker'),
        env: { ...common, VIGIA_MQTT_PORT: String(mqttPort) },
      })
    },
    async startEdge() {
      programs.edge = await startProgram({
        entry: 'apps/edge/src/main.ts',
        logFile: logFile('edge'),
        env: {
          ...common,
          VIGIA_CLOUD_URL: base,
          VIGIA_ATIVACAO_ARQUIVO: join(dataDir, 'cloud/edge-local.codigo'),
        },
      })
    },
    signIn: () => signIn(base, OPERATOR.username, OPERATOR.password),
    async close() {
      for (const name of ['edge', 'cloud', 'broker'] as const) await programs[name]?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }

  const prepared = await runProgram({ entry: 'apps/cloud/src/prepare.ts', env: common })
  if (prepared.code !== 0) throw new Error(`prepare failed: ${prepared.output}`)
  await Promise.all([installation.startBroker(), installation.startCloud()])
  await installation.startEdge()
  return installation
}
