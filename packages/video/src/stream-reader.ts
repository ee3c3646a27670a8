import { type ConnectionOptions, createConnection } from './connection.ts'
import type { Outcome } from './packet-source.ts'
import { createDecoderReader, type DecoderOptions, type StreamHandlers } from './readers/decoder.ts'

export type { HeldFrame, JpegOptions, VideoFrame } from './frame.ts'
export type { StreamHandlers, StreamInfo } from './readers/decoder.ts'

export type StreamReaderOptions = ConnectionOptions & DecoderOptions

export interface StreamReader {
  /**
   * Reads until the stream ends, fails, or `signal` aborts, and resolves with which of them it was (`end`: a file came to its
   * end). Rejects only with what a handler threw. Resolves after the handler at work has settled and all is freed.
   */
  run(handlers: StreamHandlers, signal: AbortSignal): Promise<Outcome>
}

/** A connection with a decoder as its only reader. Each `run` is one connection; runs may follow one another. */
export function createStreamReader(options: StreamReaderOptions): StreamReader {
  return {
    run(handlers, signal) {
      const connection = createConnection(options)
      connection.attach(createDecoderReader(handlers, options), { pace: true })
      return connection.run(signal)
    },
  }
}
