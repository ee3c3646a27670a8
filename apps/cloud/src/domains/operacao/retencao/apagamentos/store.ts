import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../../../db/open.ts'
import type { ApagamentoRow } from '../../../../db/rows.ts'
import type { Tables } from '../../../../db/tables.ts'

/** undefined: another deletion of the Empresa runs. */
export const insertApagamento = (
  tx: Database,
  values: Insertable<Tables['apagamentos']>,
): Promise<ApagamentoRow | undefined> =>
  tx
    .insertInto('apagamentos')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const findApagamento = (db: Database, id: number): Promise<ApagamentoRow | undefined> =>
  db.selectFrom('apagamentos').selectAll().where('id', '=', id).executeTakeFirst()

/** The newest first. */
export const listApagamentos = (db: Database, empresaId: number, limit: number): Promise<ApagamentoRow[]> =>
  db
    .selectFrom('apagamentos')
    .selectAll()
    .where('empresa_id', '=', empresaId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Adds to the progress, in the transaction that deletes. */
export const addProgress = async (
  tx: Database,
  id: number,
  field: 'eventos' | 'gravacoes' | 'descartados' | 'passagens',
  n: number,
): Promise<void> => {
  if (n === 0) return
  await tx
    .updateTable('apagamentos')
    .set((eb) => ({ [field]: eb(field, '+', n) }))
    .where('id', '=', id)
    .execute()
}

/** undefined: it had ended before. */
export const endApagamento = (
  tx: Database,
  id: number,
  values: Updateable<Tables['apagamentos']>,
): Promise<ApagamentoRow | undefined> =>
  tx
    .updateTable('apagamentos')
    .set({ ...values, vaga: null })
    .where('id', '=', id)
    .where('concluido_em', 'is', null)
    .returningAll()
    .executeTakeFirst()
