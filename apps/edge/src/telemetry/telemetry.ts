import { noTracing, openTracing } from '@vigia/runtime/tracing'
import type { Logger } from 'pino'
import { createEventObserver, type EventObserver } from './event-observer.ts'

/** Content that the quota of the disk dropped. */
interface Dropped {
  readonly records: number
  readonly media: number
  readonly notes: number
  readonly clips: readonly string[]
  readonly extras: number
}

/** Counts and times of the main process. Every label has a bounded set of values. */
export interface EdgeMetrics {
  candidate(ia: string): void
  /** Time from the sending of a record to the answer of the cloud. */
  confirmed(resultado: string, ms: number): void
  dropped(dropped: Dropped): void
}

/** State that the metrics read at each scrape. */
export interface WatchedEdge {
  records(): number
  /** Time at which the oldest record was stored in epoch ms; null: none waits. */
  oldestAt(): number | null
  waitingInMemory(): number
  isConnected(): boolean
  clockOffsetMs(): number | null
  roundTripMs(): number | null
  cameras(): readonly { readonly estado: string }[]
  freeBytes(): number | null
}

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
