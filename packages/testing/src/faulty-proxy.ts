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
  /** Every packet is this late, and up to as much again by chance, ms; order is kept. */
  readonly latencyMs: number
  /** Chance that an MQTT PUBLISH is handed on twice, 0–1. */
  readonly duplicate: number
  /** Nothing moves any more in either direction, and both ends still believe that they are connected (half-open). */
  readonly frozen: boolean
}

export interface FaultyProxy {
  readonly port: number
  /** What is wrong with the line from now on; what is not named stays. */
  set(faults: Partial<LineFaults>): void
  /** Ends every connection with a TCP reset. Returns how many there were. */
  cut(): number
  close(): Promise<void>
}

export interface FaultyProxyOptions {
  /** What the proxy shows to its clients. */
  readonly server: ProxyIdentity
  /** Where the broker is, and with which certificate the proxy goes there: that of its client, which it stands for. */
  readonly upstream: { readonly port: number; identity(): Promise<ProxyIdentity> }
  random(): number
  /** Called with every MQTT packet, in either direction, before it is passed on. */
  onPacket?(packet: Buffer): void
}

const HEALTHY: LineFaults = { latencyMs: 0, duplicate: 0, frozen: false }
/** MQTT 3.1.1 section 2.2.1. */
const PUBLISH = 3
const LOOK_MS = 20

/**
 * A bad line between an MQTT client and its broker, on 127.0.0.1. It ends TLS on both sides and so sees the packets: it may delay them,
 * hand them on twice, stand still, or tear the connection down.
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
    // An error is always followed by the close, which is what counts here.
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    return socket
  }

  /** Hands on packet after packet, each when its time has come. */
  async function carry(from: TLSSocket, to: TLSSocket): Promise<void> {
    const cut = createPacketCutter()
    let due = 0
    for await (const chunk of from)
      for (const packet of cut(chunk as Buffer)) {
        due = Math.max(due, performance.now() + faults.latencyMs * (1 + random()))
        await delay(Math.max(0, due - performance.now()))
        while (faults.frozen && !from.destroyed && !to.destroyed) await delay(LOOK_MS)
        if (to.destroyed) return
        onPacket?.(packet)
        const twice = (packet[0] ?? 0) >> 4 === PUBLISH && random() < faults.duplicate
        to.write(twice ? Buffer.concat([packet, packet]) : packet)
      }
  }

  async function serve(raw: Socket): Promise<void> {
    while (faults.frozen && !raw.destroyed) await delay(LOOK_MS)
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
    // Either way ends with an error when its connection is torn down: that is this proxy's trade.
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
