import { statSync } from 'node:fs'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import SqliteDatabase from 'better-sqlite3'
import { isDamage } from './errors.ts'

export type DatabaseState =
  /** No file, an empty file, or a file without tables. */
  | { readonly kind: 'vazio' }
  | { readonly kind: 'danificado'; readonly detalhe: string }
  /** The disk is full or fails; a start is still attempted. */
  | { readonly kind: 'nao_lido' }
  /** `sealed`: whether any of the given columns holds a value. */
  | { readonly kind: 'em_ordem'; readonly sealed: boolean }

/**
 * Checks the SQLite file without changing it. Reads the whole file: 2 s for a million events (0.6 GB) in the page
 * cache.
 * @param sealedColumns columns whose values need the key file
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
    // SQLite reports a truncated file as a disk failure.
    if (error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_IOERR_SHORT_READ')
      return { kind: 'danificado', detalhe: error.message }
    if (isDiskFailure(error)) return { kind: 'nao_lido' }
    throw error
  } finally {
    db?.close()
  }
}
