import type { Database } from './open.ts'
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
