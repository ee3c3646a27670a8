import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createPacketGate } from './packet-gate.ts'

export interface ConnectionLimits {
  readonly maxPublishBytes: number
  /** Bytes that may wait for a client that does not read; past it the client is dropped. */
  readonly maxQueuedBytes: number
  /** Packets that are taken from it, on average; one that sends more is read more slowly, and nothing of it is lost. */
  readonly packetsPerS: number
  /** The same in bytes. */
  readonly bytesPerS: number
}

/** What stands between a TLS socket and the MQTT parser. */
export interface GuardedConnection {
  /** The stream that aedes reads and writes. */
  readonly stream: Duplex
  /** From now on the client is dropped after `ms` without a byte from it. */
  expectBytesEvery(ms: number): void
  /** Bytes that wait for the client to read them. */
  readonly queuedBytes: number
}

/** So many seconds' worth of packets or bytes may come at once. */
const BURST_S = 2
/** What is written just before the end (a refusal) has this long to leave. */
const LINGER_MS = 2_000

/**
 * Enforces the limits that aedes does not. Writes are handed to the socket at once and never make the writer wait: waiting
 * would let one client that does not read hold up whoever publishes to it, the cloud above all.
 */
export function guardConnection(socket: TLSSocket, limits: ConnectionLimits): GuardedConnection {
  const gate = createPacketGate(limits.maxPublishBytes)
  let idle: NodeJS.Timeout | null = null
  /** How far the client is ahead of each rate as of `countedAt` (monotonic ms), in seconds, and how many packets were counted in all. */
  const aheadS = { packets: 0, bytes: 0 }
  let countedAt = performance.now()
  let counted = 0
  let isHeld = false

  /** Stops reading for as long as the client is ahead of its rate by more than a burst. */
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
    // Counted in bytes and not in whole packets, as aedes would: a picture may need longer than that on a narrow uplink.
    expectBytesEvery: (ms) => {
      idle = setTimeout(() => stream.destroy(new Error('keep alive timeout')), ms)
    },
  }
}
