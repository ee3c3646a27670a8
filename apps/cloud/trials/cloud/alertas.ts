import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '@vigia/testing/stats'
import { waitFor } from '@vigia/testing/wait'
import { type Cpu, coresBetween, readCpu } from './cpu.ts'
import { createSimulatedEdge, type SimulatedEdge } from './simulated-edge.ts'
import { openListeners } from './sse-client.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import type { OnProgress } from './work.ts'

export interface AlertLoad extends Pick<StageOptions, 'banco' | 'empresas'> {
  readonly clients: number
  /** Length of a run. */
  readonly seconds: number
}

export interface AlertRun {
  readonly rate: number
  /** Alerts per second from the first event to the arrival of the last alert. */
  readonly reached: number
  readonly alerts: number
  readonly expected: number
  readonly delivered: number
  /** From the time of the verdict, which precedes its commit, to the client, ms. */
  readonly p50: number
  readonly p99: number
  /** Connections that ended. */
  readonly ended: number
  /** Cores in use. */
  readonly cores: Cpu
}

/** Runs with `rate` alerts per second of all Empresas together. */
export type MeasureRate = (rate: number) => Promise<AlertRun>

/** Largest time until the last alert arrives, after the last event was confirmed. */
const REST_MS = 60_000

/**
 * Simulated edges send one event at a time, and the verifier confirms each at once. Every client of its Empresa gets
 * the alert. `use` measures as many rates as it needs with the same clients.
 */
export async function measureAlerts<Result>(
  load: AlertLoad,
  onProgress: OnProgress,
  use: (measure: MeasureRate) => Promise<Result>,
): Promise<Result> {
  const loginsPerEmpresa = Math.ceil(load.clients / load.empresas)
  const shape = { banco: load.banco, empresas: load.empresas, loginsPerEmpresa, edgesPerEmpresa: 1, confirms: true }
  const stage = await openStage(shape, onProgress)
  const edges = stage.empresas.flatMap((empresa) =>
    empresa.edges.map((edge) => createSimulatedEdge(edge, stage.mqttUrl)),
  )
  try {
    await waitFor('the edges to connect', () => edges.every(({ link }) => link.connected), { timeoutMs: 60_000 })
    return await withListeners(stage, edges, load, onProgress, use)
  } finally {
    await Promise.all(edges.map((edge) => edge.stop()))
    await stage.close()
  }
}

async function withListeners<Result>(
  stage: Stage,
  edges: readonly SimulatedEdge[],
  load: AlertLoad,
  onProgress: OnProgress,
  use: (measure: MeasureRate) => Promise<Result>,
): Promise<Result> {
  const tokens = stage.empresas.flatMap(({ logins }) => logins.map(({ token }) => token)).slice(0, load.clients)
  let delays: number[] = []
  const got = tokens.map(() => new Set<number>())
  let lastAt = 0
  const listeners = await openListeners(
    stage.base,
    tokens,
    (client, { id, verificado_em }, at) => {
      got[client]?.add(id)
      lastAt = performance.now()
      delays.push(at - verificado_em)
    },
    (open) => onProgress(open / tokens.length, `${open} canais de alerta abertos`),
  )

  async function measure(rate: number): Promise<AlertRun> {
    delays = []
    for (const ids of got) ids.clear()
    const perEdge = Math.max(1, Math.round((rate * load.seconds) / edges.length))
    const alerts = perEdge * edges.length
    const expected = perEdge * tokens.length
    const [began, before] = [performance.now(), await readCpu()]
    await sendAll(edges, perEdge, rate, (fraction) => onProgress(fraction, `${rate} alertas por segundo`))
    const delivered = () => got.reduce((sum, { size }) => sum + size, 0)
    await waitFor('all alerts', () => delivered() >= expected, { timeoutMs: REST_MS }).catch(() => {})
    const seconds = (lastAt - began) / 1000
    const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)]
    const cores = coresBetween(before, await readCpu(), (performance.now() - began) / 1000)
    const counted = { alerts, expected, delivered: delivered(), ended: listeners.ended }
    return { rate, reached: alerts / seconds, ...counted, p50, p99, cores }
  }

  try {
    return await use(measure)
  } finally {
    listeners.close()
  }
}

/** Sends `perEdge` events of each edge, spread over time at `rate` events per second of all edges. */
async function sendAll(
  edges: readonly SimulatedEdge[],
  perEdge: number,
  rate: number,
  onFraction: (fraction: number) => void,
): Promise<void> {
  const began = performance.now()
  const intervalMs = (edges.length * 1000) / rate
  let sent = 0
  await Promise.all(
    edges.map(async (edge, at) => {
      for (let i = 0; i < perEdge; i += 1) {
        const due = began + (i + at / edges.length) * intervalMs
        await delay(Math.max(0, due - performance.now()))
        await edge.send(1)
        sent += 1
        onFraction(sent / (perEdge * edges.length))
      }
    }),
  )
}
