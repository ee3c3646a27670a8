import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP line on 127.0.0.1 whose far end can move to another port, as the address of a database does at a failover. */
export interface MovableLine {
  readonly port: number
  /** Port of the far end for later connections. */
  target: number
  /** While true nothing passes, but connections stay open; new ones are accepted and wait. */
  frozen: boolean
  /** Ends each connection. */
  cut(): void
  close(): Promise<void>
}

export async function startMovableLine(target: number): Promise<MovableLine> {
  const open = new Set<Socket>()
  let isFrozen = false
  const listener = createServer((client) => {
    const far = connect(line.target, '127.0.0.1')
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      open.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
      one.pipe(other)
      if (isFrozen) one.pause()
    }
  })
  const line: MovableLine = {
    get port() {
      return (listener.address() as AddressInfo).port
    },
    target,
    get frozen() {
      return isFrozen
    },
    set frozen(next) {
      isFrozen = next
      for (const socket of open) {
        if (next) socket.pause()
        else socket.resume()
      }
    },
    cut() {
      for (const socket of open) socket.destroy()
    },
    async close() {
      line.cut()
      await new Promise<void>((resolve) => listener.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return line
}
