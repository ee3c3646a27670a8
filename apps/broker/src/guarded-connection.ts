import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createPacketGate } from './packet-gate.ts'

/** Bounds of one connection. Those that several connections share are behind the functions. */
export interface ConnectionBounds {
  readonly maxPublishBytes: number
  /** Counts what was read. Returns the time for which nothing more is read, ms. */
  rateWaitMs(read: { readonly bytes: number; readonly packets: number }): number
  /**
   * Reserves memory for a large packet that the client has announced. false: no space now. `granted` is called when
   * there is, and nothing is read until then.
   */
  reserve(bytes: number, granted: () => void): boolean
  /** Counts the unsent bytes. false: too many, the client is disconnected. */
  mayQueue(bytes: number): boolean
}

/** Connection between a TLS socket and the MQTT parser. */
export interface GuardedConnection {
  /** The stream that aedes reads and writes. */
  readonly stream: Duplex
  /** Disconnects a client that sends no byte for `ms`. */
  expectBytesEvery(ms: number): void
  /** Unsent bytes. */
  readonly queuedBytes: number
}

/** Time limit for bytes written just before the end (a refusal). */
const LINGER_MS = 2_000

/**
 * Enforces limits that aedes does not have. Writes go to the socket at once and never block, so that a client that does
 * not read never delays its publishers. A client beyond its bounds is read more slowly; no packet is lost.
 */
export function guardConnection(socket: TLSSocket, bounds: ConnectionBounds): GuardedConnection {
  const gate = createPacketGate(bounds.maxPublishBytes)
  let idle: NodeJS.Timeout | null = null
  let packets = 0
  /** Reasons for which nothing is read now. */
  let holds = 0
  /** The MQTT parser takes more. It takes none while a publication waits for its turn. */
  let isWanted = true

  function hold(): void {
    holds += 1
    socket.pause()
  }
  function release(): void {
    holds -= 1
    resume()
  }
  function resume(): void {
    if (holds === 0 && isWanted) socket.resume()
  }

  /** Pauses reading while the client is ahead of a rate, and until there is memory for what it has announced. */
  function keepWithin(bytes: number, largeBytes: number): void {
    const waitMs = bounds.rateWaitMs({ bytes, packets: gate.packets - packets })
    packets = gate.packets
    if (waitMs > 0) {
      hold()
      setTimeout(release, waitMs).unref()
    }
    if (largeBytes > 0 && !bounds.reserve(largeBytes, release)) hold()
  }

  function queue(chunks: readonly Buffer[]): void {
    socket.cork()
    for (const chunk of chunks) socket.write(chunk)
    socket.uncork()
    if (!bounds.mayQueue(socket.writableLength)) stream.destroy(new Error('client does not read fast enough'))
  }

  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => {
      isWanted = true
      resume()
    },
    write: (chunk: Buffer, _encoding, done) => {
      queue([chunk])
      done()
    },
    writev: (entries, done) => {
      const chunks: readonly Buffer[] = entries.map(({ chunk }) => chunk)
      queue(chunks)
      done()
    },
    final: (done) => {
      socket.end()
      done()
    },
    destroy: (error, done) => {
      if (idle !== null) clearTimeout(idle)
      if (error === null) {
        socket.destroySoon()
        setTimeout(() => socket.destroy(), LINGER_MS).unref()
      } else {
        socket.destroy()
      }
      done(error)
    },
  })

  socket.on('data', (chunk: Buffer) => {
    idle?.refresh()
    const before = gate.largeBytes
    if (!gate.accepts(chunk)) {
      stream.destroy(new Error('packet too large'))
      return
    }
    if (!stream.push(chunk)) {
      isWanted = false
      socket.pause()
    }
    keepWithin(chunk.length, gate.largeBytes - before)
  })
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('drain', () => bounds.mayQueue(socket.writableLength))
  socket.on('close', () => {
    bounds.mayQueue(0)
    stream.destroy()
  })

  return {
    stream,
    get queuedBytes() {
      return socket.writableLength
    },
    // It counts bytes, because on a narrow uplink a picture may take longer than the keep-alive, and aedes counts whole
    // packets.
    expectBytesEvery: (ms) => {
      idle = setTimeout(() => {
        // A client that the broker does not read cannot be heard.
        if (holds > 0 || !isWanted) idle?.refresh()
        else stream.destroy(new Error('keep alive timeout'))
      }, ms)
    },
  }
}
