import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A line to a server on this machine, whose clients share one rate towards it. */
export interface NarrowLine {
  readonly port: number
  /** Rate towards the server in kbit/s (1000 bits); 0: no limit. */
  kbps: number
  /** Current number of connections. */
  readonly connections: number
  /** Ends each connection. Returns their number. */
  cut(): number
  close(): Promise<void>
}

export async function startNarrowLine(target: number): Promise<NarrowLine> {
  const clients = new Set<Socket>()
  /** End of the transmission of the previous bytes, monotonic ms. */
  let freeAt = 0
  let kbps = 0

  async function carry(from: Socket, to: Socket): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      freeAt = Math.max(freeAt, performance.now()) + (kbps === 0 ? 0 : (chunk.length * 8) / kbps)
      await delay(Math.max(0, freeAt - performance.now()))
      if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve))
    }
    to.end()
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const far = connect(target, '127.0.0.1')
    const end = () => {
      client.destroy()
      far.destroy()
    }
    clients.add(client)
    client.on('error', end).on('close', () => {
      clients.delete(client)
      far.destroy()
    })
    far.on('error', end).on('close', () => client.destroy())
    far.pipe(client)
    carry(client, far).catch(end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    const ended = clients.size
    for (const client of clients) client.destroy()
    return ended
  }
  return {
    port: (server.address() as AddressInfo).port,
    get kbps() {
      return kbps
    },
    set kbps(next) {
      kbps = next
      freeAt = 0
    },
    get connections() {
      return clients.size
    },
    cut,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      await closed
    },
  }
}
