import type { Database } from './open.ts'
import type { QuiosqueRow } from './rows.ts'

/** Deletes a quiosque with its session. Returns its row; undefined: no such quiosque. */
export const deleteQuiosque = (tx: Database, id: number): Promise<QuiosqueRow | undefined> =>
  tx.deleteFrom('quiosques').where('id', '=', id).returningAll().executeTakeFirst()
