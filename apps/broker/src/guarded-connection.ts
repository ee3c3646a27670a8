import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { createPacketGate } from './packet-gate.ts'

export interface ConnectionLimits {
  readonly maxPublishBytes: number
  /** Bytes that may wait for a client that does not read; past it the client is dropped. */
  readonly maxQueuedBytes: number
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

/** What is written just before the end (a refusal) has this long to leave. */
const LINGER_MS = 2_000

/**
 * Enforces the limits that aedes does not. Writes are handed to the socket at once and never make the writer wait: waiting
 * would let one client that does not read hold up whoever publishes to it, the cloud above all.
 */
export function guardConnection(socket: TLSSocket, limits: ConnectionLimits): GuardedConnection {
  const gate = createPacketGate(limits.maxPublishBytes)
  let idle: NodeJS.Timeout | null = null

  function queue(chunks: readonly Buffer[]): void {
    socket.cork()
    for (const chunk of chunks) socket.write(chunk)
    socket.uncork()
    if (socket.writableLength > limits.maxQueuedBytes) stream.destroy(new Error('client does not read fast enough'))
  }

  const stream = new Duplex({
    allowHalfOpen: false,
    read: () => {
      socket.resume()
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
