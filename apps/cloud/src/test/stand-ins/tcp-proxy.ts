import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** CONNACK with return code 3, server unavailable (MQTT 3.1.1, 3.2.2.3). */
const UNAVAILABLE = Buffer.from([0x20, 2, 0, 3])
const SLOW_MS = 100

/** A proxy in front of a server on this machine. */
export interface TcpProxy {
  readonly port: number
  readonly connections: () => number
  /**
   * `slow`: each packet of the server comes late. `mute`: accepts and never answers. `open`: the connection stays open
   * when the server closes it. `unavailable`: a broker refuses the session.
   */
  answer: 'direct' | 'slow' | 'unavailable' | 'closed' | 'mute' | 'open'
  close(): Promise<void>
}

export async function startTcpProxy(target: number, onConnection = () => {}): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let connections = 0
  const keep = (socket: Socket) => {
    open.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  }
  const server = createServer((client) => {
    connections += 1
    onConnection()
    keep(client)
    if (proxy.answer === 'mute') return client.resume()
    if (proxy.answer === 'closed') return client.destroy()
    if (proxy.answer === 'unavailable') return client.resume().end(UNAVAILABLE)
    const broker = keep(connect(target, '127.0.0.1'))
    const { answer } = proxy
    const delayMs = answer === 'slow' ? SLOW_MS : 0
    broker.on('data', (bytes: Buffer) => setTimeout(() => client.writable && client.write(bytes), delayMs))
    if (answer !== 'open') broker.on('close', () => setTimeout(() => client.end(), delayMs))
    client.pipe(broker)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    answer: 'direct',
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}
