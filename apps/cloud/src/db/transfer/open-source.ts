import { isPostgresUrl } from '../postgres-dialect.ts'
import { readPostgres } from './postgres-rows.ts'
import type { RowSource } from './rows.ts'
import { readSqlite } from './sqlite-rows.ts'

/** Reads one state of a database, beside a running service. @param place URL, or path of a SQLite file */
export const openSource = async (place: string): Promise<RowSource> =>
  isPostgresUrl(place) ? readPostgres(place) : readSqlite(place)
