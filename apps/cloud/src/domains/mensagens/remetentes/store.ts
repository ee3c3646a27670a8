import type { TipoRemetente } from '@vigia/contracts/remetentes'
import type { Database } from '../../../db/open.ts'
import type { RemetenteRow } from '../../../db/rows.ts'

export const findRemetente = (db: Database, tipo: TipoRemetente): Promise<RemetenteRow> =>
  db.selectFrom('remetentes').selectAll().where('tipo', '=', tipo).executeTakeFirstOrThrow()

/** Locks the row until the transaction ends, and returns it. */
export const lockRemetente = (tx: Database, tipo: TipoRemetente): Promise<RemetenteRow> =>
  tx.updateTable('remetentes').set({ tipo }).where('tipo', '=', tipo).returningAll().executeTakeFirstOrThrow()

export const updateRemetente = (
  tx: Database,
  tipo: TipoRemetente,
  values: Pick<RemetenteRow, 'valores_json' | 'segredo_cifrado'>,
): Promise<RemetenteRow> =>
  tx.updateTable('remetentes').set(values).where('tipo', '=', tipo).returningAll().executeTakeFirstOrThrow()
