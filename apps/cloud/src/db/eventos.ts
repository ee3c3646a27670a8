import { sql } from 'kysely'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'
import type { EventoRow } from './rows.ts'

/** Events by id, newest first. */
export const findEvents = (db: Database, ids: readonly number[]): Promise<EventoRow[]> =>
  db.selectFrom('eventos').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()

/** undefined: no event with that id in those Empresas (null: all). */
export function findEvent(
  db: Database,
  id: number,
  empresas: readonly number[] | null,
): Promise<EventoRow | undefined> {
  const query = db.selectFrom('eventos').selectAll().where('id', '=', id)
  return (empresas === null ? query : query.where('empresa_id', 'in', empresas)).executeTakeFirst()
}

/**
 * Column `empresa_id` of `eventos` for a read by `ocorrido_em`. SQLite knows no distribution of the rows. By the plain
 * column it would read all events of an Empresa, instead of those of the period (unary "+" in
 * https://sqlite.org/queryplanner-ng.html).
 */
export const empresaInPeriod = (db: Database) =>
  isPostgres(db) ? sql.ref<number>('eventos.empresa_id') : sql<number>`+${sql.ref('eventos.empresa_id')}`
