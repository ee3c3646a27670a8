import type { Tracing } from '@vigia/runtime/spans'
import { noTracing, openTracing } from '@vigia/runtime/tracing'
import type { Logger } from '../http/request-log.ts'
import type { Metrics, Watched } from './metrics.ts'

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
