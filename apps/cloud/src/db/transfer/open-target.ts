import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isPostgresUrl } from '../postgres-dialect.ts'
import { hasRows, openPostgresTarget } from './postgres-rows.ts'
import type { RowTarget, TargetOptions } from './rows.ts'
import type { TableSchema } from './schema.ts'
import { createSqliteTarget } from './sqlite-rows.ts'

/** Prepares an empty database. @throws DataError for one with other data */
export async function openTarget(options: TargetOptions): Promise<RowTarget> {
  if (isPostgresUrl(options.place)) return openPostgresTarget({ ...options, url: options.place })
  mkdirSync(dirname(options.place), { recursive: true, mode: 0o700 })
  return createSqliteTarget(options.place, options.tables, options.last)
}

/** Whether the database holds an installation. An unfinished move is none. */
export async function isUsed(place: string, tables: readonly TableSchema[]): Promise<boolean> {
  if (isPostgresUrl(place)) return hasRows(place, tables)
  return existsSync(place) && statSync(place).size > 0
}
