import type { Selectable } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type DescartadoRow = Selectable<Tables['descartados']>

/** undefined: no discarded candidate with that id. */
export const findDescartado = (db: Database, id: number): Promise<DescartadoRow | undefined> =>
  db.selectFrom('descartados').selectAll().where('id', '=', id).executeTakeFirst()
