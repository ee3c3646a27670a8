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

export interface TracingOptions {
  /** Base URL of an OTLP receiver (`http://host:4318`); null: off, and no module of OpenTelemetry is loaded. */
  readonly url: string | null
  /** `service.name` of the spans. */
  readonly service: string
  /** Called when spans cannot be sent, at most once a minute. */
  onProblem(error: unknown): void
}
