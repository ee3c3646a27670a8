import { statSync } from 'node:fs'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import SqliteDatabase from 'better-sqlite3'
import { isDamage } from './errors.ts'

export type DatabaseState =
  /** No file, an empty one, or one without a table. */
  | { readonly kind: 'vazio' }
  | { readonly kind: 'danificado'; readonly detalhe: string }
  /** The disk is full or fails: only a start shows what still works. */
  | { readonly kind: 'nao_lido' }
  /** `sealed`: some column of those asked for holds a value. */
  | { readonly kind: 'em_ordem'; readonly sealed: boolean }

/**
 * Checks the SQLite file without changing it. Reads all of it: 2 s for a million events (0.6 GB) in the page cache.
 * @param sealedColumns tables and columns with values that only the key file opens
 */
export function inspectDatabase(
  file: string,
  sealedColumns: readonly { readonly tabela: string; readonly coluna: string }[],
): DatabaseState {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return { kind: 'vazio' }
  let db: SqliteDatabase.Database | undefined
  try {
    db = new SqliteDatabase(file, { readonly: true, timeout: 5_000 })
    const problem = db.pragma('quick_check(1)', { simple: true })
    if (problem !== 'ok') return { kind: 'danificado', detalhe: String(problem).replaceAll(/\s+/g, ' ') }
    const tables = new Set(db.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all())
    if (tables.size === 0) return { kind: 'vazio' }
    const isSealed = ({ tabela, coluna }: (typeof sealedColumns)[number]) =>
      tables.has(tabela) && db?.prepare(`select 1 from "${tabela}" where "${coluna}" <> '' limit 1`).get() !== undefined
    return { kind: 'em_ordem', sealed: sealedColumns.some(isSealed) }
  } catch (error) {
    if (isDamage(error)) return { kind: 'danificado', detalhe: error.message }
    // SQLite reads the end of a file that was cut off as a failure of the disk.
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_IOERR_SHORT_READ')
      return { kind: 'danificado', detalhe: error.message }
    if (isDiskFailure(error)) return { kind: 'nao_lido' }
    throw error
  } finally {
    db?.close()
  }
}
