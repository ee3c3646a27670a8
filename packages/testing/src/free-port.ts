import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Below the range from which Linux gives ports to outgoing connections and to `listen(0)` (32768 to 60999). */
const FIRST = 20_000
const END = 32_000
const ATTEMPTS = 100
/** A file for each port that a test process has taken, with the id of the process. */
const TAKEN = join(tmpdir(), `vigia-test-ports-${userInfo().uid}`)

const own = new Set<string>()

/**
 * Returns a free TCP port of 127.0.0.1, for programs that restart on the same port. Until the calling process ends, no
 * parallel test gets the port, also before the program listens.
 * @throws Error when no port was free
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, END)
    if (takePort(port) && (await isFree(port))) return port
  }
  throw new Error(`no free port in ${ATTEMPTS} attempts`)
}

/** Whether this process is now the only one that has the port. */
export function takePort(port: number): boolean {
  mkdirSync(TAKEN, { recursive: true })
  const file = join(TAKEN, String(port))
  if (isGone(file)) rmSync(file, { force: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  if (own.size === 0) process.once('exit', release)
  own.add(file)
  return true
}

function release(): void {
  for (const file of own) rmSync(file, { force: true })
}

/** Whether the process that took the port was killed before it could release it. */
function isGone(file: string): boolean {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    // A file without an id is being written.
    if (owner > 0) process.kill(owner, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
