import type { Logger } from './request-log.ts'
import type { RequestInfo } from './route.ts'

/** Callbacks about the end of a stream. */
interface Holder {
  /** Called when the stream ends for any reason, possibly more than once. */
  finished(): void
  /** Called when the source throws. */
  failed(error: unknown): void
  /** Closes the connection of the stream. */
  disconnect(): void
}

/** A failure is in the log and closes the connection, so that the client does not take a part for the whole. */
export const closingOnFailure = (
  { log }: { readonly log: Logger },
  { id, disconnect }: Pick<RequestInfo, 'id' | 'disconnect'>,
  message: string,
): Holder => ({
  finished: () => {},
  failed(err) {
    log.error({ err, id }, message)
    disconnect()
  },
  disconnect,
})

/**
 * Turns an async generator of text or bytes into a response body. The next chunk is produced after the client has read
 * the previous one. A client that reads nothing for `stallMs` is disconnected, so that dead or hostile clients hold no
 * connection. The body never fails, because the HTTP server would report that as a defect of the program.
 */
export function streamBody(
  source: AsyncGenerator<string | Uint8Array, void, void>,
  { finished, failed, disconnect }: Holder,
  { stallMs = 30_000 }: { readonly stallMs?: number } = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stall: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stall)
        const piece = await source.next().catch(failed)
        if (piece && !piece.done) {
          const { value } = piece
          controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
          // The server cancels the body when the connection closes.
          stall = setTimeout(disconnect, stallMs)
          return
        }
        finished()
        controller.close()
      },
      async cancel() {
        clearTimeout(stall)
        finished()
        await source.return()
      },
    },
    // No read-ahead: `pull` means that the connection accepts data.
    { highWaterMark: 0 },
  )
}
