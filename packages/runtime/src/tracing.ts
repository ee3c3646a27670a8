/** Values of a span. Ids and names of kinds only: spans leave the installation. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** `traceparent` (W3C Trace Context) of the span above; null or unreadable: the span begins a trace. */
  readonly parent?: string | null | undefined
  /** Epoch ms; default: now. */
  readonly startMs?: number
  readonly attributes?: SpanAttributes
}

export interface OpenSpan {
  /** Name of this span for others (`traceparent`); null: tracing is off. */
  readonly traceparent: string | null
  end(result?: { readonly failed?: boolean; readonly attributes?: SpanAttributes }): void
}

export interface Tracing {
  start(name: string, options?: SpanOptions): OpenSpan
  /** Sends the spans that wait. */
  stop(): Promise<void>
}

const noSpan: OpenSpan = { traceparent: null, end: () => {} }

/** Tracing that is switched off. */
export const noTracing: Tracing = { start: () => noSpan, stop: async () => {} }

export interface TracingOptions {
  /** Base URL of an OTLP receiver (`http://host:4318`); null: off, and no module of OpenTelemetry is loaded. */
  readonly url: string | null
  /** `service.name` of the spans. */
  readonly service: string
  /** Called when spans cannot be sent, at most once a minute. */
  onProblem(error: unknown): void
}

export const openTracing = async (options: TracingOptions): Promise<Tracing> => {
  const { url } = options
  return url === null ? noTracing : (await import('./otlp-tracing.ts')).createOtlpTracing({ ...options, url })
}

/** Runs `run` in a span. A rejection marks the span as failed. */
export async function traced<T>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  run: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const span = tracing.start(name, options)
  try {
    const result = await run(span)
    span.end()
    return result
  } catch (error) {
    span.end({ failed: true })
    throw error
  }
}
