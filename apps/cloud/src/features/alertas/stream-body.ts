/**
 * An async generator of text as a response body that is produced at the client's pace: the next piece is made when the
 * one before it has been taken off. A client that takes nothing for `stallMs` is cut off, so that a dead or hostile one
 * holds no connection for ever. `abort` is called once, however it ends.
 */
export function streamBody(
  source: AsyncGenerator<string, void, void>,
  { abort, stallMs = 30_000 }: { readonly abort: () => void; readonly stallMs?: number },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stall: NodeJS.Timeout | undefined
  const finish = () => {
    clearTimeout(stall)
    abort()
    return source.return()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stall)
        const piece = await source.next().catch(async (error: unknown) => {
          await finish()
          throw error
        })
        if (piece.done) {
          controller.close()
          await finish()
          return
        }
        controller.enqueue(encoder.encode(piece.value))
        stall = setTimeout(() => {
          controller.error(new StalledClient())
          void finish()
        }, stallMs)
        stall.unref()
      },
      async cancel() {
        await finish()
      },
    },
    // No read-ahead: `pull` means that the client's connection has room.
    { highWaterMark: 0 },
  )
}

class StalledClient extends Error {
  /** What the HTTP server takes as an ordinary end of a connection, not as a failure of ours. */
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE'
  constructor() {
    super('client stopped reading')
  }
}
