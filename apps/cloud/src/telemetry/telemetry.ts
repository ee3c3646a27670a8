import type { resultadosRegistro } from '@vigia/contracts/candidate'
import type { TipoCanal } from '@vigia/contracts/destinos'
import type { Certeza, Decisao } from '@vigia/contracts/eventos'
import { noTracing, openTracing, type Tracing } from '@vigia/runtime/tracing'
import type { Clock } from '../adapters/clock.ts'
import type { DiskSpace } from '../adapters/disk-space.ts'
import type { Database } from '../db/open.ts'
import type { Falha } from '../domains/operacao/verificacao/retry-policy.ts'
import type { Logger } from '../http/request-log.ts'
import type { Replica } from '../replicas/replica.ts'

/** Counts and times of this process. Every label has a bounded set of values. */
export interface Metrics {
  /** @param route path pattern; null: no route */
  request(about: { readonly method: string; readonly route: string | null; readonly status: number }, ms: number): void
  query(ms: number, failed: boolean): void
  record(resultado: (typeof resultadosRegistro)[number]): void
  /** Time from a live event to its storage. */
  arrived(ms: number): void
  /** Time from the storage of an event to its verdict. */
  verdict(decisao: Decisao, certeza: Certeza, ms: number): void
  verificationFailed(falha: Falha): void
  delivery(canal: TipoCanal | 'push', result: DeliveryResult): void
  /** Time from the queueing of a message to its delivery. */
  delivered(canal: TipoCanal | 'push', ms: number): void
}

/** `falhou`: it is tried again. `desistida`: it is not. */
type DeliveryResult = 'entregue' | 'falhou' | 'desistida'

/** State that the metrics read at each scrape. */
export interface Watched {
  readonly db: Database
  readonly clock: Clock
  readonly replica: Pick<Replica, 'leads'>
  readonly link: { readonly connected: boolean }
  readonly disk: Pick<DiskSpace, 'leastFreeBytes'>
}

export interface Telemetry {
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** Adds the metrics of the whole installation. */
  watch(watched: Watched): void
  stop(): Promise<void>
}

const noMetrics: Metrics = {
  request: () => {},
  query: () => {},
  record: () => {},
  arrived: () => {},
  verdict: () => {},
  verificationFailed: () => {},
  delivery: () => {},
  delivered: () => {},
}

/** Neither metrics nor traces. */
export const noTelemetry: Telemetry = {
  metrics: noMetrics,
  tracing: noTracing,
  watch: () => {},
  stop: async () => {},
}

export interface TelemetrySettings {
  /** Address of the metrics; null: off, and no library of metrics is loaded. */
  readonly metricas: { readonly host: string; readonly port: number } | null
  /** URL of the OTLP receiver; null: no traces. */
  readonly otelUrl: string | null
}

/**
 * Opens what the settings switch on.
 * @throws VigiaError `indisponivel` when the port of the metrics is taken
 */
export async function openTelemetry({ metricas, otelUrl }: TelemetrySettings, log: Logger): Promise<Telemetry> {
  const onProblem = (err: unknown) => log.warn({ err }, 'traces not sent')
  const tracing = await openTracing({ url: otelUrl, service: 'vigia-cloud', onProblem })
  if (metricas === null) return { ...noTelemetry, tracing, stop: tracing.stop }
  const { openMetrics } = await import('./prometheus.ts')
  const opened = await openMetrics(metricas, log)
  return {
    metrics: opened.metrics,
    tracing,
    watch: opened.watch,
    stop: async () => {
      await Promise.all([opened.stop(), tracing.stop()])
    },
  }
}
