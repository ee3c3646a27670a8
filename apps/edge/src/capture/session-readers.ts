import type { Connection } from '@vigia/video/connection'
import type { PacketReader } from '@vigia/video/packet-reader'
import type { Logger } from 'pino'
import type { ClipRecorder } from './clip-recorder.ts'
import type { StreamChoice } from './retry-policy.ts'

/** Further readers of a camera's connections, each of one of its streams. */
export interface SessionReaders {
  /**
   * Attaches a reader to each connection to this stream. `underWay`: as AttachOptions, for the current connection.
   * Returns a function that detaches it.
   */
  attach(choice: StreamChoice, reader: PacketReader, options: { readonly underWay: boolean }): () => void
  /** A connection to this stream is about to run. */
  opened(connection: Connection, choice: StreamChoice): void
  closed(): void
}

interface SessionReadersOptions {
  readonly cameraId: number
  /** Reads each connection; undefined: no clips. */
  readonly recorder: Pick<ClipRecorder, 'reader'> | undefined
  readonly log: Logger
}

export function createSessionReaders({ cameraId, recorder, log }: SessionReadersOptions): SessionReaders {
  const attached = new Map<PacketReader, { readonly choice: StreamChoice; detach(): void }>()
  let open: { readonly connection: Connection; readonly choice: StreamChoice } | null = null

  function attachTo(connection: Connection, reader: PacketReader, underWay: boolean): () => void {
    const onFault = (error: unknown) => log.error({ camera: cameraId, err: error }, 'live stream broke')
    return connection.attach(reader, { onFault, underWay })
  }

  return {
    attach(choice, reader, { underWay }) {
      const entry = { choice, detach: () => {} }
      attached.set(reader, entry)
      if (open?.choice === choice) entry.detach = attachTo(open.connection, reader, underWay)
      return () => {
        attached.delete(reader)
        entry.detach()
      }
    },
    opened(connection, choice) {
      if (recorder) {
        const onFault = (error: unknown) => log.error({ camera: cameraId, err: error }, 'no clips of this connection')
        connection.attach(recorder.reader, { onFault })
      }
      for (const [reader, entry] of attached)
        if (entry.choice === choice) entry.detach = attachTo(connection, reader, false)
      open = { connection, choice }
    },
    closed() {
      open = null
    },
  }
}
