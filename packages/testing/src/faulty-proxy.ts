import { createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, createSecureContext, TLSSocket } from 'node:tls'
import { createPacketCutter } from './packet-cutter.ts'

/** PEM texts. */
export interface ProxyIdentity {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

export interface LineFaults {
  /** Delay of each packet, plus a random delay up to the same value; the order is kept. */
  readonly latencyMs: number
  /** Rate of each direction in kbit/s (1000 bits); 0: no limit. */
  readonly kbps: number
  /** Probability of a duplicate of an MQTT PUBLISH, 0–1. */
  readonly duplicate: number
  /** While true, no packet passes in either direction, but both connections stay open (half-open). */
  readonly frozen: boolean
}

export interface FaultyProxy {
  readonly port: number
  /** Sets faults of the line; other faults keep their value. */
  set(faults: Partial<LineFaults>): void
  /** Ends each connection with a TCP reset. Returns their number. */
  cut(): number
  close(): Promise<void>
}

export interface FaultyProxyOptions {
  /** Certificate that the proxy presents to its clients. */
  readonly server: ProxyIdentity
  /** Port of the broker, and the certificate of the client for which the proxy connects to it. */
  readonly upstream: { readonly port: number; identity(): Promise<ProxyIdentity> }
  random(): number
  /** Called with each MQTT packet in both directions, before it is passed on. */
  onPacket?(packet: Buffer): void
}

const HEALTHY: LineFaults = { latencyMs: 0, kbps: 0, duplicate: 0, frozen: false }
/** MQTT 3.1.1 section 2.2.1. */
const PUBLISH = 3
const POLL_MS = 20

/**
 * A faulty line between an MQTT client and its broker on 127.0.0.1. It terminates TLS on both sides. It can delay
 * packets, duplicate them, freeze, or reset the connection.
 */
export async function startFaultyProxy({
  server,
  upstream,
  random,
  onPacket,
}: FaultyProxyOptions): Promise<FaultyProxy> {
  let faults = HEALTHY
  const open = new Set<Socket>()
  const secureContext = createSecureContext({ ...server })

  const keep = (socket: Socket): Socket => {
    open.add(socket)
    // The 'close' event that follows each error is handled.
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    return socket
  }

  /** Passes packets on in order, each after its delay. */
  async function carry(from: TLSSocket, to: TLSSocket): Promise<void> {
    const cut = createPacketCutter()
    let due = 0
    /** End of the transmission of the previous packet. */
    let sentAt = 0
    for await (const chunk of from)
      for (const packet of cut(chunk as Buffer)) {
        const now = performance.now()
        sentAt = Math.max(sentAt, now) + (faults.kbps === 0 ? 0 : (packet.length * 8) / faults.kbps)
        due = Math.max(due, sentAt + faults.latencyMs * (1 + random()))
        await delay(Math.max(0, due - performance.now()))
        while (faults.frozen && !from.destroyed && !to.destroyed) await delay(POLL_MS)
        if (to.destroyed) return
        onPacket?.(packet)
        const twice = (packet[0] ?? 0) >> 4 === PUBLISH && random() < faults.duplicate
        to.write(twice ? Buffer.concat([packet, packet]) : packet)
      }
  }

  async function serve(raw: Socket): Promise<void> {
    while (faults.frozen && !raw.destroyed) await delay(POLL_MS)
    if (raw.destroyed) return
    const identity = await upstream.identity()
    const near = new TLSSocket(raw, { isServer: true, secureContext })
    near.on('error', () => raw.destroy())
    const far = connect({ host: '127.0.0.1', port: upstream.port, ...identity, rejectUnauthorized: true })
    keep(far)
    const end = () => {
      near.destroy()
      raw.destroy()
      far.destroy()
    }
    near.once('close', end)
    far.once('close', end)
    // Both directions end with an error after a reset, which is expected.
    await Promise.all([carry(near, far).catch(end), carry(far, near).catch(end)])
  }

  const listener = createServer((raw) => {
    keep(raw)
    serve(raw).catch(() => raw.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(0, '127.0.0.1', resolve)
  })
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const cut = () => {
    const sockets = [...open]
    for (const socket of sockets) {
      if (socket instanceof TLSSocket) socket.destroy()
      else socket.resetAndDestroy()
    }
    return sockets.length
  }
  return {
    port: address.port,
    set: (next) => {
      faults = { ...faults, ...next }
    },
    cut,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        listener.close(() => resolve())
      })
      cut()
      await closed
    },
  }
}
