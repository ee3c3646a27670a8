import { resultadosRegistro } from '@vigia/contracts/candidate'
import { tiposCanal } from '@vigia/contracts/destinos'
import { certezas, decisoes } from '@vigia/contracts/eventos'
import { startMetricsListener } from '@vigia/runtime/metrics-listener'
import { readGauge } from '@vigia/runtime/read-gauge'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { listEveryCamera } from '../db/cameras.ts'
import { estadosTrabalho, tiposTrabalho } from '../db/work-queue/turns.ts'
import { cameraStatus } from '../domains/locais/cameras/camera-status.ts'
import { edgeOf } from '../domains/locais/cameras/view-camera.ts'
import { edgeStatus } from '../domains/locais/edges/edge-status.ts'
import { falhas } from '../domains/operacao/verificacao/retry-policy.ts'
import type { Logger } from '../http/request-log.ts'
import { countWork, listEdgeStates } from './gauges-store.ts'
import type { Metrics, Watched } from './metrics.ts'

const S = 1_000
/** From a query on SQLite to a request that asks an edge. */
const SHORT_S = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10]
/** From a live event to a delivery that was tried for hours. */
const LONG_S = [0.25, 0.5, 1, 2, 5, 15, 60, 300, 3600]

interface Opened {
  readonly metrics: Metrics
  watch(watched: Watched): void
  stop(): Promise<void>
}

/** Opens the listener of the metrics. `docs/reference/observability.md` lists them. */
export async function openMetrics(at: { readonly host: string; readonly port: number }, log: Logger): Promise<Opened> {
  const onProblem = (err: unknown) => log.warn({ err }, 'metrics not read')
  const listener = await startMetricsListener({ ...at, setting: 'VIGIA_METRICAS_PORTA', onProblem })
  log.info({ porta: listener.port }, 'métricas')
  const { registry } = listener
  return {
    metrics: createMetrics(registry),
    watch: (watched) => watchInstallation(registry, watched, onProblem),
    stop: listener.stop,
  }
}

function createMetrics(registry: Registry): Metrics {
  const registers = [registry]
  const requests = new Histogram({
    name: 'vigia_http_request_duration_seconds',
    help: 'Time to the start of the answer of a request, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: SHORT_S,
    registers,
  })
  const queries = new Histogram({
    name: 'vigia_database_query_duration_seconds',
    help: 'Duration of the queries of the database, without the wait for a connection.',
    buckets: SHORT_S,
    registers,
  })
  const queryFailures = new Counter({
    name: 'vigia_database_query_failures_total',
    help: 'Failed queries of the database.',
    registers,
  })
  const records = new Counter({
    name: 'vigia_records_total',
    help: 'Records of edges, by their answer.',
    labelNames: ['result'],
    registers,
  })
  const arrivals = new Histogram({
    name: 'vigia_event_arrival_seconds',
    help: 'Time from a live event on the edge to its storage.',
    buckets: LONG_S,
    registers,
  })
  const verdicts = new Counter({
    name: 'vigia_verdicts_total',
    help: 'Verdicts, by decision and certainty.',
    labelNames: ['decision', 'certainty'],
    registers,
  })
  const verdictTimes = new Histogram({
    name: 'vigia_verdict_delay_seconds',
    help: 'Time from the storage of an event to its verdict.',
    buckets: LONG_S,
    registers,
  })
  const verificationFailures = new Counter({
    name: 'vigia_verification_failures_total',
    help: 'Failed attempts of a verification, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const deliveries = new Counter({
    name: 'vigia_deliveries_total',
    help: 'Attempts to deliver a message, by channel and result.',
    labelNames: ['channel', 'result'],
    registers,
  })
  const deliveryTimes = new Histogram({
    name: 'vigia_delivery_delay_seconds',
    help: 'Time from the queueing of a message to its delivery.',
    labelNames: ['channel'],
    buckets: LONG_S,
    registers,
  })

  // A rate is known from the first failure on only if its counter began at 0.
  for (const result of resultadosRegistro) records.inc({ result }, 0)
  for (const decision of decisoes) for (const certainty of certezas) verdicts.inc({ decision, certainty }, 0)
  for (const reason of falhas) verificationFailures.inc({ reason }, 0)
  for (const channel of [...tiposCanal, 'push'])
    for (const result of ['entregue', 'falhou', 'desistida']) deliveries.inc({ channel, result }, 0)

  return {
    request({ method, route, status }, ms) {
      const labels = { method, route: route ?? 'none', status: `${Math.floor(status / 100)}xx` }
      requests.observe(labels, ms / S)
    },
    query(ms, failed) {
      queries.observe(ms / S)
      if (failed) queryFailures.inc()
    },
    record: (result) => records.inc({ result }),
    arrived: (ms) => arrivals.observe(Math.max(0, ms / S)),
    verdict(decision, certainty, ms) {
      verdicts.inc({ decision, certainty })
      verdictTimes.observe(Math.max(0, ms / S))
    },
    verificationFailed: (reason) => verificationFailures.inc({ reason }),
    delivery: (channel, result) => deliveries.inc({ channel, result }),
    delivered: (channel, ms) => deliveryTimes.observe({ channel }, Math.max(0, ms / S)),
  }
}

/** Adds the gauges. With several replicas, only the leader shows those from the database. */
function watchInstallation(registry: Registry, watched: Watched, onProblem: (error: unknown) => void): void {
  const { db, clock, replica, link, disk } = watched
  const registers = [registry]

  /** A gauge of the leader. A failed read leaves it without values, and the other metrics are answered. */
  function ofLeader(
    about: { readonly name: string; readonly help: string; readonly labelNames: string[] },
    read: (gauge: Gauge) => Promise<void>,
  ): void {
    new Gauge({
      ...about,
      registers,
      async collect() {
        this.reset()
        if (replica.leads) await read(this).catch(onProblem)
      },
    })
  }
  const readWork = shareRun(() => countWork(db))

  ofLeader(
    { name: 'vigia_queue_items', help: 'Work items, by kind and state.', labelNames: ['kind', 'state'] },
    async (gauge) => {
      for (const kind of tiposTrabalho) for (const state of estadosTrabalho) gauge.set({ kind, state }, 0)
      for (const { tipo, estado, itens } of await readWork()) gauge.set({ kind: tipo, state: estado }, Number(itens))
    },
  )
  ofLeader(
    {
      name: 'vigia_queue_oldest_seconds',
      help: 'Age of the oldest work item that is due or was tried, without stopped ones.',
      labelNames: ['kind'],
    },
    async (gauge) => {
      const now = clock.now()
      const rows = (await readWork()).filter(({ estado, desde }) => estado !== 'parado' && desde !== null)
      for (const kind of tiposTrabalho) {
        const since = rows.flatMap(({ tipo, desde }) => (tipo === kind && desde !== null ? [desde] : []))
        gauge.set({ kind }, since.length === 0 ? 0 : Math.max(0, (now - Math.min(...since)) / S))
      }
    },
  )
  ofLeader({ name: 'vigia_cameras', help: 'Cameras, by status.', labelNames: ['status'] }, async (gauge) => {
    const now = clock.now()
    countInto(
      gauge,
      ['online', 'offline', 'desativada'],
      (await listEveryCamera(db)).map((camera) => cameraStatus(camera, edgeOf(camera), now).status),
    )
  })
  ofLeader({ name: 'vigia_edges', help: 'Edges, by status.', labelNames: ['status'] }, async (gauge) => {
    const now = clock.now()
    countInto(
      gauge,
      ['online', 'offline', 'aguardando'],
      (await listEdgeStates(db)).map((edge) => edgeStatus(edge, now)),
    )
  })

  /** A gauge of this process; null: no value. */
  const ofProcess = (name: string, help: string, read: () => number | null) => readGauge(registers, name, help, read)
  ofProcess('vigia_leader', '1: this replica leads, and shows the gauges of the database.', () => Number(replica.leads))
  ofProcess('vigia_link_connected', '1: this process is connected to the broker.', () => Number(link.connected))
  ofProcess('vigia_disk_free_bytes', 'Free space on the fullest disk of the data.', () => disk.leastFreeBytes())
}

/** Sets the count of each status, also 0. */
function countInto(gauge: Gauge, all: readonly string[], seen: readonly string[]): void {
  for (const status of all) gauge.set({ status }, seen.filter((each) => each === status).length)
}

/** Callers at the same time share one run. */
function shareRun<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
}
