import { parentPort, workerData } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { Statement, StatementAnswer } from './protocol.ts'

/** Runs SELECT statements on a read-only connection, so that long ones do not hold the main thread. */
const sqlite = new SqliteDatabase((workerData as { file: string }).file, { readonly: true })
sqlite.pragma('temp_store = MEMORY')

/** More rows than any answer has. The main thread must copy them, and memory that runs out ends the whole process. */
const MOST_ROWS = 100_000

function rowsOf(statement: SqliteDatabase.Statement, parameters: readonly unknown[]): unknown[] {
  const rows: unknown[] = []
  for (const row of statement.iterate(...parameters)) {
    if (rows.length === MOST_ROWS) throw new Error(`a heavy read of more than ${MOST_ROWS} rows`)
    rows.push(row)
  }
  return rows
}

function answer({ sql, parameters }: Statement): StatementAnswer {
  try {
    const statement = sqlite.prepare(sql)
    if (statement.reader) return { rows: rowsOf(statement, parameters) }
    statement.run(parameters)
    return { rows: [] }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { falha: { message: error instanceof Error ? error.message : String(error), code } }
  }
}

parentPort?.on('message', (statement: Statement) => parentPort?.postMessage(answer(statement)))
