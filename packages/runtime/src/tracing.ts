import type { OpenSpan, SpanOptions, Tracing, TracingOptions } from './spans.ts'

const noSpan: OpenSpan = { traceparent: null, end: () => {} }

/** Tracing that is switched off. */
export const noTracing: Tracing = { start: () => noSpan, stop: async () => {} }

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
