import { startMetricsListener } from '@vigia/runtime/metrics-listener'
import { readGauge } from '@vigia/runtime/read-gauge'
import type { Logger } from 'pino'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { EdgeMetrics, WatchedEdge } from './metrics.ts'

/** Local only: a collector on the same machine reads it. */
const HOST = '127.0.0.1'
const S = 1_000
const CONFIRMATION_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const STATES = ['online', 'conectando', 'falha', 'desativada']

/** Opens the listener of the metrics. `docs/reference/observability.md` lists them. */
export async function openMetrics(port: number, log: Logger) {
  const onProblem = (err: unknown) => log.warn({ err }, 'metrics not read')
  const listener = await startMetricsListener({ host: HOST, port, setting: 'VIGIA_EDGE_METRICAS_PORTA', onProblem })
  log.info({ porta: listener.port }, 'métricas')
  const { registry, stop } = listener
  return { metrics: createMetrics(registry), watch: (watched: WatchedEdge) => watchEdge(registry, watched), stop }
}

function createMetrics(registry: Registry): EdgeMetrics {
  const registers = [registry]
  const candidates = new Counter({
    name: 'vigia_edge_candidates_total',
    help: 'Candidates that the analysis found, by IA.',
    labelNames: ['ia'],
    registers,
  })
  const confirmations = new Histogram({
    name: 'vigia_edge_confirmation_seconds',
    help: 'Time from the sending of a record to the answer of the cloud.',
    labelNames: ['result'],
    buckets: CONFIRMATION_S,
    registers,
  })
  const dropped = new Counter({
    name: 'vigia_edge_outbox_dropped_total',
    help: 'Content that the quota of the disk dropped, by kind.',
    labelNames: ['kind'],
    registers,
  })
  // Alert rules compare with the time before the first one.
  for (const kind of ['records', 'media', 'notes', 'clips', 'extras']) dropped.inc({ kind }, 0)
  return {
    candidate: (ia) => candidates.inc({ ia }),
    confirmed: (result, ms) => confirmations.observe({ result }, ms / S),
    dropped({ records, media, notes, clips, extras }) {
      dropped.inc({ kind: 'records' }, records)
      dropped.inc({ kind: 'media' }, media)
      dropped.inc({ kind: 'notes' }, notes)
      dropped.inc({ kind: 'clips' }, clips.length)
      dropped.inc({ kind: 'extras' }, extras)
    },
  }
}

function watchEdge(registry: Registry, watched: WatchedEdge): void {
  const registers = [registry]
  /** null: no value. */
  const gauge = (name: string, help: string, read: () => number | null) => readGauge(registers, name, help, read)
  const seconds = (ms: number | null) => (ms === null ? null : ms / S)
  gauge('vigia_edge_outbox_records', 'Records that wait for their confirmation.', watched.records)
  gauge('vigia_edge_outbox_oldest_seconds', 'Age of the oldest record that waits.', () => {
    const at = watched.oldestAt()
    return at === null ? 0 : Math.max(0, (Date.now() - at) / S)
  })
  gauge('vigia_edge_memory_events', 'Events in memory, because the disk cannot be written.', watched.waitingInMemory)
  gauge('vigia_edge_link_connected', '1: connected to the broker.', () => Number(watched.isConnected()))
  gauge('vigia_edge_clock_offset_seconds', 'Clock of the edge minus clock of the cloud.', () =>
    seconds(watched.clockOffsetMs()),
  )
  gauge('vigia_edge_link_round_trip_seconds', 'Last round trip of a report, without the time in the cloud.', () =>
    seconds(watched.roundTripMs()),
  )
  gauge('vigia_edge_disk_free_bytes', 'Free space on the disk of the outbox.', watched.freeBytes)
  new Gauge({
    name: 'vigia_edge_cameras',
    help: 'Cameras, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const seen = watched.cameras()
      for (const state of STATES) this.set({ state }, seen.filter(({ estado }) => estado === state).length)
    },
  })
}
