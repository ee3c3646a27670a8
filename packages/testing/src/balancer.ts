import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A load balancer on 127.0.0.1 that passes TCP connections to the servers that are ready. */
export interface Balancer {
  readonly port: number
  /** Ports of the servers. */
  set(ports: readonly number[]): void
  close(): Promise<void>
}

const CHECK_MS = 300
const CHECK_LIMIT_MS = 1_500

/**
 * Asks each server for `/readyz`. A server that does not answer 200 in time gets no connection. A server that does not
 * answer at all loses its connections, as with HAProxy's `on-marked-down shutdown-sessions`.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let servers = ports
  const ready = new Set<number>()
  const open = new Map<number, Set<Socket>>()
  let turn = 0
  let isClosed = false

  const socketsOf = (port: number) => {
    const known = open.get(port) ?? new Set()
    open.set(port, known)
    return known
  }
  const check = async (port: number) => {
    try {
      const signal = AbortSignal.timeout(CHECK_LIMIT_MS)
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal })
      if (status === 200) ready.add(port)
      else ready.delete(port)
    } catch {
      ready.delete(port)
      for (const socket of socketsOf(port)) socket.destroy()
    }
  }
  const checkAll = async () => {
    await Promise.all(servers.map(check))
    if (!isClosed) setTimeout(checkAll, CHECK_MS).unref()
  }

  /** Tries each ready server once; a refused connection has carried no request. */
  const pass = (client: Socket, left: readonly number[]): void => {
    const [port, ...others] = left
    if (port === undefined) return void client.destroy()
    const server = connect(port, '127.0.0.1')
    server.once('error', () => pass(client, others))
    server.once('connect', () => {
      server.removeAllListeners('error')
      const own = socketsOf(port)
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        own.add(one)
        one
          .on('error', () => other.destroy())
          .on('close', () => {
            own.delete(one)
            other.destroy()
          })
        one.pipe(other)
      }
    })
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy())
    const able = servers.filter((port) => ready.has(port))
    turn += 1
    pass(client, [...able.slice(turn % Math.max(1, able.length)), ...able.slice(0, turn % Math.max(1, able.length))])
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  await checkAll()
  return {
    port: (listener.address() as AddressInfo).port,
    set(next) {
      servers = next
    },
    async close() {
      isClosed = true
      for (const sockets of open.values()) for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => listener.close(() => resolve()))
    },
  }
}
