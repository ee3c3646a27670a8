import type { ClientChoice, RtspClient } from '@vigia/video/client-choice'
import { type Connection, createConnection } from '@vigia/video/connection'
import type { AttachOptions } from '@vigia/video/fan-out'
import type { PacketReader } from '@vigia/video/packet-reader'
import type { Outcome } from '@vigia/video/packet-source'
import { type ConnectionSlots, hostOf } from './connection-slots.ts'

interface FurtherStreamRequest {
  readonly url: string
  readonly client: RtspClient | ClientChoice
  /** Requests the audio too. */
  readonly audio: boolean
  readonly use: 'live' | 'request'
  readonly readers: readonly { readonly reader: PacketReader; readonly options?: AttachOptions }[]
  readonly signal: AbortSignal
}

/** The streams of cameras that are not analysed: one connection for all readers of a stream. */
export interface FurtherStreams {
  /**
   * Reads until the stream ends, fails, or `signal` aborts. `full`: the recorder has no free connection, or the
   * connection gave way to another use.
   */
  read(request: FurtherStreamRequest): Promise<Outcome | 'full'>
}

interface Shared {
  readonly connection: Connection
  readonly ended: Promise<Outcome | 'full'>
  readonly stop: AbortController
  users: number
}

/** A camera without audio must not share the connection of one with audio. */
const keyOf = ({ url, audio }: FurtherStreamRequest): string => `${audio} ${url}`

export function createFurtherStreams(slots: ConnectionSlots): FurtherStreams {
  const streams = new Map<string, Shared>()
  /** Addresses that failed with audio before their first picture: some recorders refuse the stream for its audio. */
  const silent = new Set<string>()

  async function run(
    connection: Connection,
    { url, use, audio }: FurtherStreamRequest,
    stop: AbortSignal,
  ): Promise<Outcome | 'full'> {
    const full = new AbortController()
    const signal = AbortSignal.any([stop, full.signal])
    const slot = await slots.acquire({ host: hostOf(url), use, signal, onFull: () => full.abort() })
    if (!slot) return stop.aborted ? 'aborted' : 'full'
    let hasPicture = false
    try {
      connection.attach({
        packet() {
          hasPicture = true
          slot.opened()
        },
        skipped: slot.opened,
      })
      const end = await connection.run(AbortSignal.any([stop, slot.revoked]))
      if (audio && !hasPicture && typeof end === 'object') silent.add(url)
      return end === 'aborted' && slot.revoked.aborted ? 'full' : end
    } finally {
      slot.release()
    }
  }

  function open(request: FurtherStreamRequest): Shared {
    const { url, client, audio } = request
    const key = keyOf(request)
    const connection = createConnection({ url, client, audio: audio && !silent.has(url) })
    const stop = new AbortController()
    const ended = run(connection, request, stop.signal).finally(() => {
      if (streams.get(key)?.stop === stop) streams.delete(key)
    })
    const shared = { connection, ended, stop, users: 0 }
    streams.set(key, shared)
    return shared
  }

  return {
    async read(request) {
      const { readers, signal } = request
      if (signal.aborted) return 'aborted'
      const shared = streams.get(keyOf(request)) ?? open(request)
      shared.users++
      const detachers = readers.map(({ reader, options }) => shared.connection.attach(reader, options))
      const left = Promise.withResolvers<'aborted'>()
      const leave = () => left.resolve('aborted')
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([shared.ended, left.promise])
      } finally {
        signal.removeEventListener('abort', leave)
        for (const detach of detachers) detach()
        shared.users--
        if (shared.users === 0) {
          streams.delete(keyOf(request))
          shared.stop.abort()
          await shared.ended
        }
      }
    },
  }
}
