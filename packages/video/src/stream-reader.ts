import { type ConnectionOptions, createConnection } from './connection.ts'
import type { Outcome } from './packet-source.ts'
import { createDecoderReader, type DecoderOptions, type StreamHandlers } from './readers/decoder.ts'

export type { HeldFrame, JpegOptions, VideoFrame } from './frame.ts'
export type { StreamHandlers, StreamInfo } from './readers/decoder.ts'

export type StreamReaderOptions = ConnectionOptions & DecoderOptions

export interface StreamReader {
  /**
   * Reads until the stream ends, fails, or `signal` aborts, and resolves with the outcome (`end`: end of a file).
   * Rejects only with the error of a handler. Resolves after the current handler call has settled and all memory is
   * free.
   */
  run(handlers: StreamHandlers, signal: AbortSignal): Promise<Outcome>
}

/** A connection with a decoder as its only reader. Each `run` is one connection; consecutive runs are allowed. */
export function createStreamReader(options: StreamReaderOptions): StreamReader {
  return {
    run(handlers, signal) {
      const connection = createConnection(options)
      connection.attach(createDecoderReader(handlers, options), { awaited: true })
      return connection.run(signal)
    },
  }
}
