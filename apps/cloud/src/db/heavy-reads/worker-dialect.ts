import { Worker } from 'node:worker_threads'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
} from 'kysely'
import type { Statement, StatementAnswer } from './protocol.ts'

/** The worker thread ended before it answered. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded'
}

/** A statement failed in the worker; `code` is that of SQLite. */
class StatementFailed extends Error {
  readonly code: string
  constructor({ message, code }: { readonly message: string; readonly code: string }) {
    super(message)
    this.code = code
  }
}

/** A worker thread with a read-only connection to a SQLite file. */
export class ReadsConnection implements DatabaseConnection {
  readonly #worker: Worker
  readonly #waiting: PromiseWithResolvers<StatementAnswer>[] = []
  #hasEnded = false
  constructor(file: string) {
    this.#worker = new Worker(new URL('./reads-worker.ts', import.meta.url), {
      workerData: { file },
      name: 'leituras',
    })
    this.#worker.unref()
    this.#worker.on('message', (answer: StatementAnswer) => this.#waiting.shift()?.resolve(answer))
    // `exit` follows each error of a worker.
    this.#worker.on('error', () => {})
    this.#worker.on('exit', () => {
      this.#hasEnded = true
      for (const { reject } of this.#waiting.splice(0)) reject(new WorkerEnded('the worker thread has ended'))
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#hasEnded) throw new WorkerEnded('the worker thread has ended')
    const answered = Promise.withResolvers<StatementAnswer>()
    this.#waiting.push(answered)
    this.#worker.postMessage({ sql, parameters } satisfies Statement)
    const answer = await answered.promise
    if ('falha' in answer) throw new StatementFailed(answer.falha)
    return { rows: answer.rows as R[] }
  }

  // biome-ignore lint/correctness/useYield: no query of the product streams rows.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('a heavy read does not stream rows')
  }

  /** Resolves when the thread has ended; SQLite first ends the statement that it runs. */
  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** The dialect of a Kysely on a ReadsConnection. */
export class WorkerDialect extends SqliteDialect {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    super({} as SqliteDialectConfig)
    this.#connection = connection
  }

  override createDriver(): never {
    return new WorkerDriver(this.#connection) as never
  }

  override createAdapter(): SqliteAdapter {
    return new SqliteAdapter()
  }
}

class WorkerDriver implements Driver {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
