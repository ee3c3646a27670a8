import { VigiaError } from '@vigia/contracts/errors'
import { Kysely } from 'kysely'
import { rootOf } from '../empresas.ts'
import { type Database, emptyLists } from '../open.ts'
import type { Tables } from '../tables.ts'
import { ReadsConnection, WorkerDialect, WorkerEnded } from './worker-dialect.ts'

/** The caller of a heavy read. */
export interface HeavyReader {
  /** null: the operator of the installation. */
  readonly empresaId: number | null
}

/**
 * Long SELECT statements. On SQLite a worker thread runs them on a read-only connection, on PostgreSQL a connection of
 * the pool. One at a time runs for each root Empresa, and the roots take turns.
 */
export interface HeavyReads {
  /**
   * @param read must not write, and must not keep `db`
   * @throws VigiaError `indisponivel`: too many wait, it took too long, or the worker has ended
   */
  run<T>(reader: HeavyReader, signal: AbortSignal | null, read: (db: Database) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export interface HeavyReadLimits {
  /** Reads at a time, of different roots. */
  readonly atOnce: number
  /** Reads of one root that may wait. */
  readonly waiting: number
  /** Longest duration of one read. */
  readonly longestMs: number
}

export const HEAVY_READS: HeavyReadLimits = { atOnce: 2, waiting: 16, longestMs: 30_000 }

interface Deps {
  /** Database of the main thread. */
  readonly db: Database
  /** SQLite file; null: the database is PostgreSQL. */
  readonly file: string | null
  readonly limits?: HeavyReadLimits
}

/** Counted per process: it protects the processor and the pool of this process. */
export function createHeavyReads({ db, file, limits = HEAVY_READS }: Deps): HeavyReads {
  /** Waiting reads by root, the root that was served longest ago first. */
  const queues = new Map<number, (() => Promise<void>)[]>()
  const running = new Set<number>()
  const idle: ReadsConnection[] = []
  const all = new Set<ReadsConnection>()
  let stopped = false

  function takeConnection(path: string): ReadsConnection {
    for (let next = idle.pop(); next; next = idle.pop()) {
      if (!next.hasEnded) return next
      all.delete(next)
    }
    const connection = new ReadsConnection(path)
    all.add(connection)
    return connection
  }

  async function runOne<T>(signal: AbortSignal | null, read: (db: Database) => Promise<T>): Promise<T> {
    signal?.throwIfAborted()
    if (file === null) return withinTime(read(db), limits.longestMs, () => {})
    const connection = takeConnection(file)
    let end: Promise<void> | null = null
    const leased = new Kysely<Tables>({ dialect: new WorkerDialect(connection), plugins: [emptyLists] })
    try {
      return await withinTime(read(leased), limits.longestMs, () => {
        end = connection.end()
      })
    } catch (error) {
      if (error instanceof WorkerEnded && end === null) throw refusal(DIED, error)
      throw error
    } finally {
      // SQLite cannot be interrupted from here: the root keeps its turn until the thread has ended.
      if (end !== null) await end
      if (connection.hasEnded) all.delete(connection)
      else idle.push(connection)
    }
  }

  function pump(): void {
    for (const [root, queue] of queues) {
      if (running.size >= limits.atOnce) return
      if (running.has(root)) continue
      const next = queue.shift()
      // The root goes behind all others.
      queues.delete(root)
      if (queue.length > 0) queues.set(root, queue)
      if (!next) continue
      running.add(root)
      void next().finally(() => {
        running.delete(root)
        setImmediate(pump)
      })
    }
  }

  return {
    async run<T>(reader: HeavyReader, signal: AbortSignal | null, read: (db: Database) => Promise<T>): Promise<T> {
      const root = reader.empresaId === null ? 0 : await rootOf(db, reader.empresaId)
      if (stopped) throw refusal(DIED)
      const queue = queues.get(root) ?? []
      if (queue.length >= limits.waiting) throw refusal(FULL)
      const settled = Promise.withResolvers<T>()
      const abort = () => settled.reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      queue.push(() => runOne(signal, read).then((value) => settled.resolve(value), settled.reject))
      queues.set(root, queue)
      pump()
      try {
        return await settled.promise
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async stop() {
      stopped = true
      queues.clear()
      await Promise.all([...all].map((connection) => connection.end()))
    },
  }
}

async function withinTime<T>(work: Promise<T>, ms: number, onLate: () => void): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    onLate()
    late.reject(refusal(SLOW))
  }, ms)
  // After its time the work ends with the worker.
  work.catch(() => {})
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

const SLOW = 'Esta consulta leva tempo demais. Escolha um período menor ou menos câmeras e tente de novo.'
const FULL = 'Muitas consultas longas desta conta ao mesmo tempo. Espere uma terminar e tente de novo.'
const DIED = 'A consulta parou antes do fim. Tente de novo em alguns segundos.'
const RETRY_S = 5

const refusal = (detalhe: string, cause?: unknown): VigiaError =>
  new VigiaError('indisponivel', { detalhe, tentarEmS: RETRY_S, cause })
