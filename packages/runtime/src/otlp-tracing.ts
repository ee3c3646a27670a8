import { type Context, ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Tracing, TracingOptions } from './spans.ts'

/** A span waits at most this long, ms. */
const DELAY_MS = 1_000
/** Longest wait for the receiver, ms; also at the stop of the program. */
const TIMEOUT_MS = 2_000
/** Spans that wait; later ones are dropped, so that an absent receiver costs no memory. */
const MOST_WAITING = 2_048
const REPORT_EVERY_MS = 60_000

/** `version-traceid-parentid-flags`; an all-zero id is invalid (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Sends spans to a receiver over OTLP/HTTP (JSON). The tracer is its own: nothing is registered globally. */
export function createOtlpTracing({ url, service, onProblem }: TracingOptions & { readonly url: string }): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/$/, '')}/v1/traces`, timeoutMillis: TIMEOUT_MS })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, onProblem),
        scheduledDelayMillis: DELAY_MS,
        exportTimeoutMillis: TIMEOUT_MS,
        maxQueueSize: MOST_WAITING,
      }),
    ],
  })
  const tracer = provider.getTracer('vigia')

  return {
    start(name, { parent, startMs, attributes } = {}) {
      const span = tracer.startSpan(
        name,
        { ...(startMs !== undefined && { startTime: startMs }), attributes: { ...attributes } },
        contextOf(parent),
      )
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        end({ failed = false, attributes: more } = {}) {
          if (more) span.setAttributes({ ...more })
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    // The exporter has reported the failure.
    stop: () => provider.shutdown().catch(() => {}),
  }
}

function contextOf(parent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? '') ?? []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** Reports failed exports, which the SDK gives to a global handler without output. */
function reporting(exporter: SpanExporter, onProblem: (error: unknown) => void): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now()
        // ExportResultCode.FAILED
        if (result.code === 1 && now - reportedAt >= REPORT_EVERY_MS) {
          reportedAt = now
          onProblem(result.error ?? new Error('spans not sent'))
        }
        done(result)
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
