import { type Due, isDue, isStampDue } from '../../../db/due.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { recordRemoved } from './store.ts'

/** Which records go; `now` is epoch ms. */
export interface RecordsDue {
  readonly empresaId: number
  readonly due: Due
  readonly now: number
  readonly limit: number
}

/** Each function deletes up to `limit` records, the oldest first, and returns their number. */
export type Take = (db: Database, due: RecordsDue) => Promise<number>

export const takeAuditoria: Take = (db, { empresaId, due, now, limit }) =>
  transact(db, async (tx) => {
    // The trigger of the table accepts only deletions before this time.
    await tx
      .insertInto('auditoria_varrida')
      .values({ empresa_id: empresaId, ate: due.before })
      .onConflict((oc) => oc.column('empresa_id').doUpdateSet({ ate: due.before }))
      .execute()
    const rows = await tx
      .selectFrom('auditoria')
      .select(['id', 'em'])
      .where('empresa_id', '=', empresaId)
      .orderBy('id')
      .limit(limit)
      .execute()
    const gone = rows.filter(({ em }) => isStampDue(em, due))
    if (gone.length > 0)
      await tx
        .deleteFrom('auditoria')
        .where(
          'id',
          'in',
          gone.map(({ id }) => id),
        )
        .execute()
    await recordRemoved(tx, { empresaId, tipo: 'auditoria', times: gone.map(({ em }) => em) }, now)
    return gone.length
  })

/** Outages that have ended. */
export const takeQuedas: Take = (db, { empresaId, due, now, limit }) =>
  transact(db, async (tx) => {
    const chosen = tx
      .selectFrom('quedas')
      .select('id')
      .where('empresa_id', '=', empresaId)
      .where(isDue('fim', due))
      .orderBy('id')
      .limit(limit)
    const rows = await tx
      .deleteFrom('quedas')
      .where('id', 'in', (eb) => eb.selectFrom(chosen.as('c')).select('c.id'))
      .returning('inicio')
      .execute()
    await recordRemoved(tx, { empresaId, tipo: 'quedas', times: rows.map(({ inicio }) => inicio) }, now)
    return rows.length
  })

/** Gaps that no late event fills any more. */
export const takeLacunas: Take = (db, { empresaId, due, now, limit }) =>
  transact(db, async (tx) => {
    const chosen = tx
      .selectFrom('lacunas')
      .innerJoin('cameras', 'cameras.id', 'lacunas.camera_id')
      .select('lacunas.id')
      .where('cameras.empresa_id', '=', empresaId)
      .where(isDue('lacunas.registrada_em', due))
      .where('lacunas.motivo', '<>', 'a_caminho')
      .limit(limit)
    const rows = await tx
      .deleteFrom('lacunas')
      .where('id', 'in', (eb) => eb.selectFrom(chosen.as('c')).select('c.id'))
      .returning('registrada_em')
      .execute()
    await recordRemoved(tx, { empresaId, tipo: 'lacunas', times: rows.map((row) => row.registrada_em) }, now)
    return rows.length
  })

/** Hand-overs of shifts. They end with the events of the book, and are not counted among them. */
export const takeHandOvers: Take = (db, { empresaId, due, limit }) =>
  transact(db, async (tx) => {
    const chosen = tx
      .selectFrom('passagens_de_turno')
      .select('id')
      .where('empresa_id', '=', empresaId)
      .where(isDue('em', due))
      .orderBy('id')
      .limit(limit)
    const rows = await tx
      .deleteFrom('passagens_de_turno')
      .where('id', 'in', (eb) => eb.selectFrom(chosen.as('c')).select('c.id'))
      .returning('id')
      .execute()
    return rows.length
  })

/** Lines of the alert log of these events. A stream continues after the lines that are left. */
export const takeAlertas = (
  db: Database,
  { empresaId, due, now, ids }: Omit<RecordsDue, 'limit'> & { readonly ids: readonly number[] },
): Promise<number> =>
  transact(db, async (tx) => {
    const rows = await tx
      .deleteFrom('alertas')
      .where('evento_id', 'in', ids)
      .where(isDue('criado_em', due))
      .returning('criado_em')
      .execute()
    await recordRemoved(tx, { empresaId, tipo: 'alertas', times: rows.map(({ criado_em }) => criado_em) }, now)
    return rows.length
  })
