import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Api, signIn } from '@vigia/testing/api'
import { freePort } from '@vigia/testing/free-port'
import { cloudEnv, OPERATOR } from '@vigia/testing/installation'
import { startProgram } from '@vigia/testing/program'
import { percentile } from '@vigia/testing/stats'
import { type OnProgress, runWork } from './work.ts'

export interface ListLoad {
  /** Kept between runs. */
  readonly folder: string
  readonly events: number
  readonly rounds: number
}

export interface ListRun {
  readonly events: number
  /** Size of the database file. */
  readonly bytes: number
  /** null: the folder is of an earlier run. */
  readonly buildSeconds: number | null
  readonly requests: number
  readonly p50: number
  readonly p99: number
}

/** Measured, for the progress. */
const EVENT_BYTES = 620
const STEP_MS = 1_000
/** Time for migrations of a kept folder. */
const READY_MS = 600_000
const PASSWORD = 'senha-da-medida-1'
/** An Empresa with a third of the events, and the integrator of 201 Empresas (million-events-store.ts). */
const LARGE_EMPRESA = 2
const INTEGRATOR = 1

/** Times the list of events on a folder with `events` of them, which is filled once. */
export async function measureList({ folder, events, rounds }: ListLoad, onProgress: OnProgress): Promise<ListRun> {
  const dataDir = join(folder, `eventos-${events}`)
  const file = join(dataDir, 'cloud/vigia.db')
  const buildSeconds = existsSync(file) ? null : await fill(folder, dataDir, events, onProgress)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  onProgress(0, 'início da central')
  const program = await startProgram({
    entry: 'apps/cloud/src/test/unverifying-cloud.ts',
    env: {
      ...cloudEnv,
      VIGIA_DATA_DIR: dataDir,
      PORT: String(port),
      VIGIA_EDGE_LOCAL: '0',
      VIGIA_LOG_LEVEL: 'warn',
      // No broker listens there.
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
    },
    readyMs: READY_MS,
  })
  try {
    const operator = await signIn(base, OPERATOR.username, OPERATOR.password)
    const callers = [operator, await login(operator, INTEGRATOR), await login(operator, LARGE_EMPRESA)]
    const durations = await timeAll(callers, rounds, onProgress)
    const [p50, p99] = [percentile(durations, 0.5), percentile(durations, 0.99)]
    return { events, bytes: (await stat(file)).size, buildSeconds, requests: durations.length, p50, p99 }
  } finally {
    await program.stop()
  }
}

async function fill(folder: string, dataDir: string, events: number, onProgress: OnProgress): Promise<number> {
  await mkdir(folder, { recursive: true })
  const growing = join(folder, '.unfinished/cloud/vigia.db')
  const timer = setInterval(() => {
    const show = ({ size }: { size: number }) => onProgress(size / (events * EVENT_BYTES), `${events} eventos`)
    stat(growing).then(show, () => {})
  }, STEP_MS)
  try {
    return (await runWork<{ seconds: number }>('fill-events-program.ts', { dataDir, events }, onProgress)).seconds
  } finally {
    clearInterval(timer)
  }
}

async function login(operator: Api, empresaId: number): Promise<Api> {
  const username = `medida-${empresaId}-${Date.now()}`
  const usuario = { username, senha: PASSWORD, papel: 'administrador', empresa_id: empresaId }
  await operator.call('POST', '/usuarios', usuario)
  return signIn(operator.base, username, PASSWORD)
}

/** First pages, filters of every kind with few and with many matches, and later pages. */
const queries = [
  '',
  'veredito=confirmado',
  'tipo=fogo',
  'tipo=objeto_abandonado',
  'gravidade=critica',
  'camera_id=21',
  'gravidade=baixa&veredito=confirmado',
  'tipo=invasao&veredito=refutado',
  'desde=2026-03-01T00:00:00Z',
  'ate=2026-02-01T00:00:00Z',
  'desde=2026-05-01T00:00:00Z&ate=2026-05-02T00:00:00Z&tipo=veiculo',
  'ate=2026-01-01T00:00:00Z&tipo=fumaca',
  'offset=1000',
].map((query) => `/events?limit=50${query === '' ? '' : `&${query}`}`)

/** Sends every query of every caller once to warm up and then `rounds` times, one after the other. */
async function timeAll(callers: readonly Api[], rounds: number, onProgress: OnProgress): Promise<number[]> {
  const durations: number[] = []
  for (let round = 0; round <= rounds; round += 1)
    for (const api of callers)
      for (const query of queries) {
        onProgress(round / (rounds + 1), 'lista de eventos')
        const begun = performance.now()
        const response = await api.fetch(query)
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`${query}: HTTP ${response.status}`)
        if (round > 0) durations.push(performance.now() - begun)
      }
  return durations
}
