import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createPacketGate } from './packet-gate.ts'

export interface ConnectionLimits {
  readonly maxPublishBytes: number
  /** Largest number of unsent bytes; then the client is disconnected. */
  readonly maxQueuedBytes: number
  /** Average packets a second. A faster client is read more slowly; no packet is lost. */
  readonly packetsPerS: number
  /** Average bytes a second, with the same effect. */
  readonly bytesPerS: number
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

/** Allowed burst: seconds of the average rate. */
const BURST_S = 2
/** Time limit for bytes written just before the end (a refusal). */
const LINGER_MS = 2_000

/**
 * Enforces limits that aedes does not have. Writes go to the socket at once and never block, so that a client that does
 * not read never delays its publishers.
 */
export function guardConnection(socket: TLSSocket, limits: ConnectionLimits): GuardedConnection {
  const gate = createPacketGate(limits.maxPublishBytes)
  let idle: NodeJS.Timeout | null = null
  /**
   * Seconds by which the client is ahead of each rate at `countedAt` (monotonic ms), and the total number of packets.
   */
  const aheadS = { packets: 0, bytes: 0 }
  let countedAt = performance.now()
  let counted = 0
  let isHeld = false

  /** Pauses reading while the client is ahead of a rate by more than the burst. */
  function keepPace(bytes: number): void {
    const now = performance.now()
    const passedS = (now - countedAt) / 1000
    aheadS.packets = Math.max(0, aheadS.packets - passedS) + (gate.packets - counted) / limits.packetsPerS
    aheadS.bytes = Math.max(0, aheadS.bytes - passedS) + bytes / limits.bytesPerS
    countedAt = now
    counted = gate.packets
    const waitS = Math.max(aheadS.packets, aheadS.bytes) - BURST_S
    if (waitS <= 0) return
    isHeld = true
    socket.pause()
    setTimeout(() => {
      isHeld = false
      socket.resume()
    }, waitS * 1000).unref()
  }

  function queue(chunks: readonly Buffer[]): void {
    socket.cork()
    for (const chunk of chunks) socket.write(chunk)
    socket.uncork()
    if (socket.writableLength > limits.maxQueuedBytes) stream.destroy(new Error('client does not read fast enough'))
  }

  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => {
      if (!isHeld) socket.resume()
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
    if (!gate.accepts(chunk)) stream.destroy(new Error('packet too large'))
    else if (!stream.push(chunk)) socket.pause()
    keepPace(chunk.length)
  })
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())

  return {
    stream,
    get queuedBytes() {
      return socket.writableLength
    },
    // It counts bytes, because on a narrow uplink a picture may take longer than the keep-alive, and aedes counts whole
    // packets.
    expectBytesEvery: (ms) => {
      idle = setTimeout(() => stream.destroy(new Error('keep alive timeout')), ms)
    },
  }
}
