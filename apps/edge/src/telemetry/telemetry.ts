import { noTracing, openTracing } from '@vigia/runtime/tracing'
import type { Logger } from 'pino'
import { createEventObserver, type EventObserver } from './event-observer.ts'
import type { Dropped, WatchedEdge } from './metrics.ts'

export interface EdgeTelemetry {
  /** Observes the events on their way to the cloud; undefined: metrics and traces are off. */
  readonly events: EventObserver | undefined
  dropped(dropped: Dropped): void
  watch(watched: WatchedEdge): void
  stop(): Promise<void>
}

/** Neither metrics nor traces. */
export const noEdgeTelemetry: EdgeTelemetry = {
  events: undefined,
  dropped: () => {},
  watch: () => {},
  stop: async () => {},
}

export interface EdgeTelemetrySettings {
  /** Port of the metrics on loopback, 0: any; null: off, and no library of metrics is loaded. */
  readonly metricsPort: number | null
  /** URL of the OTLP receiver; null: no traces. */
  readonly otelUrl: string | null
}

/**
 * Opens what the settings switch on.
 * @throws VigiaError `indisponivel` when the port of the metrics is taken
 */
export async function openEdgeTelemetry(settings: EdgeTelemetrySettings, log: Logger): Promise<EdgeTelemetry> {
  const { metricsPort, otelUrl } = settings
  if (metricsPort === null && otelUrl === null) return noEdgeTelemetry
  const onProblem = (err: unknown) => log.warn({ err }, 'traces not sent')
  const tracing = otelUrl === null ? noTracing : await openTracing({ url: otelUrl, service: 'vigia-edge', onProblem })
  if (metricsPort === null)
    return { ...noEdgeTelemetry, events: createEventObserver({ tracing, metrics: null }), stop: tracing.stop }
  const opened = await (await import('./prometheus.ts')).openMetrics(metricsPort, log)
  return {
    events: createEventObserver({ tracing, metrics: opened.metrics }),
    dropped: opened.metrics.dropped,
    watch: opened.watch,
    stop: async () => {
      await Promise.all([opened.stop(), tracing.stop()])
    },
  }
}
