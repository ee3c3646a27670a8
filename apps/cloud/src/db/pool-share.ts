import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'
import type pg from 'pg'

interface RequestOfRoot {
  readonly root: number
  /** A timer or a subscription that the request began goes on in its context. */
  hasEnded: boolean
}

const requests = new AsyncLocalStorage<RequestOfRoot>()

/** Runs a request of this root Empresa. Until it ends, its queries share the connections of that root. */
export async function runForRoot<T>(root: number, run: () => Promise<T>): Promise<T> {
  const request = { root, hasEnded: false }
  try {
    return await requests.run(request, run)
  } finally {
    request.hasEnded = true
  }
}

/** Runs work that serves all Empresas, also if a request of one of them began it. Its queries have no such limit. */
export const runForAll = <T>(run: () => T): T => requests.exit(run)

function rootOfRequest(): number | undefined {
  const request = requests.getStore()
  return request === undefined || request.hasEnded ? undefined : request.root
}

/** Connections of one root Empresa in a pool of `maxConnections`. */
export const poolShare = (maxConnections: number): number => Math.max(1, Math.floor(maxConnections / 3))

/** As pg-pool names it, so that the request is answered with 503. */
const TOO_LONG = 'timeout exceeded when trying to connect'

interface Holder {
  taken: number
  readonly queue: (() => void)[]
}

/** Limits the connections that requests of one root hold at a time. Work of no request has no such limit. */
export function sharePool(pool: pg.Pool, share: number, waitMs: number): PostgresPool {
  const holders = new Map<number, Holder>()

  async function take(root: number): Promise<() => void> {
    const holder = holders.get(root) ?? { taken: 0, queue: [] }
    holders.set(root, holder)
    if (holder.taken < share) holder.taken += 1
    else await nextTurn(holder, waitMs)
    return () => {
      const next = holder.queue.shift()
      // The next one inherits the connection's place, so `taken` stays unchanged.
      if (next) next()
      else holder.taken -= 1
      if (holder.taken === 0) holders.delete(root)
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    const root = rootOfRequest()
    if (root === undefined) return pool.connect()
    const giveBack = await take(root)
    const client = await pool.connect().catch((error: unknown) => {
      giveBack()
      throw error
    })
    const release = client.release.bind(client)
    client.release = (destroy) => {
      client.release = release
      giveBack()
      release(destroy)
    }
    return client
  }
  return { connect, end: () => pool.end(), options: pool.options }
}

async function nextTurn({ queue }: Holder, waitMs: number): Promise<void> {
  const turn = Promise.withResolvers<void>()
  queue.push(turn.resolve)
  const timer = setTimeout(() => {
    queue.splice(queue.indexOf(turn.resolve), 1)
    turn.reject(new Error(TOO_LONG))
  }, waitMs)
  await turn.promise.finally(() => clearTimeout(timer))
}
