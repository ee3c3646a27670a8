/** Who holds a stream open, and what has to be told about its end. */
interface Holder {
  /** Called however the stream ends; a second call does nothing. */
  finished(): void
  /** Called when the source throws. */
  failed(error: unknown): void
  /** Cuts the connection under the stream. */
  disconnect(): void
}

/**
 * An async generator of text or bytes as a response body that is produced at the client's pace: the next piece is made when the
 * one before it has been taken off. A client that takes nothing for `stallMs` is cut off, so that a dead or hostile one
 * holds no connection for ever. The body never fails: to the HTTP server that would be a fault of the program.
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
          // The server cancels the body of a connection that is gone.
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
    // No read-ahead: `pull` means that the client's connection has room.
    { highWaterMark: 0 },
  )
}
