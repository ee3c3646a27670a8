import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which Linux gives ports to outgoing connections and to `listen(0)` (32768 to 60999). */
const FIRST = 20_000
const END = 32_000
const ATTEMPTS = 100

/**
 * Returns a free TCP port of 127.0.0.1, for programs that restart on the same port. No connection of a parallel test
 * can take the port before the program listens.
 * @throws Error when no port was free
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port in ${ATTEMPTS} attempts`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
