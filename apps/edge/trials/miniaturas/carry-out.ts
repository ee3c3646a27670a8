import { createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink } from '@vigia/link/edge-link'
import { createMemoryLog, createTestInstallation } from '@vigia/link/testing/installation'
import { above, below, resultOf } from '@vigia/testing/checks'
import { startFaultyProxy } from '@vigia/testing/faulty-proxy'
import { freePort } from '@vigia/testing/free-port'
import { startProgram } from '@vigia/testing/program'
import { seededRandom } from '@vigia/testing/random'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import { createMiniaturas } from '../../src/pedidos/miniaturas.ts'

/** A real broker behind a modelled line of 2 Mbit/s with 30 to 60 ms in each direction. */
const EDGE_ID = 7
const KBPS = 2_000
const LATENCY_MS = 30
/** Sizes of a tile of 320 px and of the large picture of 640 px, at the quality of the edge. */
const TILE_BYTES = 14_000
const LARGE_BYTES = 45_000
/** An alert with its crop and whole frame. */
const ALERT_BYTES = 60_000
/** Promise of docs/performance.md for an event behind a full line. */
const PROMISE_MS = 1_500
const ALERTS = 12
const LEAST_PER_SECOND = 0.03

type Edge = ReturnType<typeof createEdgeLink>

interface Stage {
  readonly edge: Edge
  /** Pictures at the cloud, with their times by the monotonic clock. */
  readonly seen: readonly { readonly cameraId: number; readonly at: number }[]
}

/** Measures alerts and pictures of 16 cameras. */
export async function carryOut({ print }: TrialOutput): Promise<Result> {
  const ends: (() => unknown)[] = []
  try {
    return await measure(await startStage(ends), ends, print)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function startStage(ends: (() => unknown)[]): Promise<Stage> {
  const log = createMemoryLog()
  const backoff = { minMs: 20, maxMs: 200 }
  const installation = await createTestInstallation()
  ends.push(installation.remove)
  const port = await freePort()
  const env = { VIGIA_DATA_DIR: installation.dir, VIGIA_MQTT_PORT: String(port), VIGIA_LOG_LEVEL: 'warn' }
  const broker = await startProgram({ entry: 'apps/broker/src/main.ts', env })
  ends.push(broker.stop)
  await installation.admit(`mqtts://127.0.0.1:${port}`, [EDGE_ID])
  const cloud = createCloudLink({ url: `mqtts://127.0.0.1:${port}`, tls: installation.cloud, log, backoff })
  const seen: { readonly cameraId: number; readonly at: number }[] = []
  cloud.onLiveFrame((_edgeId, { camera_id }) => void seen.push({ cameraId: camera_id, at: performance.now() }))
  cloud.onBatch(async () => {})
  cloud.start()
  ends.push(cloud.stop)
  const tls = await installation.edge(EDGE_ID)
  const line = await startFaultyProxy({
    server: installation.broker,
    upstream: { port, identity: async () => tls },
    random: seededRandom(16),
  })
  line.set({ latencyMs: LATENCY_MS, kbps: KBPS })
  ends.push(line.close)
  const edge = createEdgeLink({ url: `mqtts://127.0.0.1:${line.port}`, edgeId: EDGE_ID, tls: () => tls, log, backoff })
  edge.start()
  ends.push(edge.stop)
  await waitFor('both ends', () => edge.connected && cloud.connected)
  return { edge, seen }
}

/** Time until the cloud has an alert, ms. */
async function alertMs(edge: Edge): Promise<number> {
  const begun = performance.now()
  await edge.publishBatch(Buffer.alloc(ALERT_BYTES))
  return performance.now() - begun
}

async function measure({ edge, seen }: Stage, ends: (() => unknown)[], print: TrialOutput['print']): Promise<Result> {
  print(`an alert alone: ${Math.round(await alertMs(edge))} ms`)
  const ids = Array.from({ length: 16 }, (_, index) => index + 1)
  const miniaturas = createMiniaturas({
    isKnown: () => true,
    picture: async (id) => ({ jpeg: Buffer.alloc(id === 1 ? LARGE_BYTES : TILE_BYTES), width: 320, height: 180 }),
    publish: edge.publishLiveFrame,
    waiting: () => 0,
  })
  ends.push(() => miniaturas.stop())
  const cameras = ids.map((camera_id) => ({ camera_id, lado_maximo: camera_id === 1 ? 640 : 320 }))
  const context = { id: 'x', signal: new AbortController().signal, prazoMs: 5_000 }
  const command = { acao: 'enviar_miniaturas', cameras, cada_ms: 1_000, validade_ms: 60_000 } as const
  await miniaturas.handlers.enviar_miniaturas(command, context)
  await waitFor('a picture of every camera', () => new Set(seen.map(({ cameraId }) => cameraId)).size === 16)
  const begun = performance.now()
  const alerts: number[] = []
  while (alerts.length < ALERTS) alerts.push(await alertMs(edge))
  const since = (camera: number) => seen.filter(({ cameraId, at }) => cameraId === camera && at > begun).length
  await waitFor('another picture of every camera', () => ids.every((id) => since(id) > 0), { timeoutMs: 60_000 })
  const seconds = (performance.now() - begun) / 1000
  const rates = ids.map((id) => since(id) / seconds)
  return resultOf([
    below('slowest alert beside 16 tiles', Math.max(...alerts), PROMISE_MS, 'ms'),
    above('pictures of the slowest camera', Math.min(...rates), LEAST_PER_SECOND, '/s'),
  ])
}
