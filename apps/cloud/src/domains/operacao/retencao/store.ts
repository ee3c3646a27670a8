import type { TipoRetencao } from '@vigia/contracts/retencao'
import type { Insertable } from 'kysely'
import { lineageOf } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

/** Values of the Empresa and its ancestors, the nearest first. */
export const listRules = (db: Database, empresaId: number) =>
  lineageOf(db, empresaId)
    .selectFrom('retencoes')
    .innerJoin('acima', 'acima.id', 'retencoes.empresa_id')
    .selectAll('retencoes')
    .orderBy('acima.nivel')
    .execute()

export const saveRule = async (tx: Database, rule: Insertable<Tables['retencoes']>): Promise<void> => {
  await tx
    .insertInto('retencoes')
    .values(rule)
    .onConflict((oc) => oc.columns(['empresa_id', 'tipo']).doUpdateSet({ dias: rule.dias, bytes: rule.bytes }))
    .execute()
}

/** Locks an event; false: it does not exist. The incidente is locked before (architecture.md, Incidents). */
export async function lockEvento(tx: Database, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('eventos')
    .set((eb) => ({ camera_nome: eb.ref('camera_nome') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const savePreservacao = async (tx: Database, row: Insertable<Tables['preservacoes']>): Promise<void> => {
  const { evento_id: _, ...values } = row
  await tx
    .insertInto('preservacoes')
    .values(row)
    .onConflict((oc) => oc.column('evento_id').doUpdateSet(values))
    .execute()
}

export const deletePreservacao = async (tx: Database, eventoId: number): Promise<void> => {
  await tx.deleteFrom('preservacoes').where('evento_id', '=', eventoId).execute()
}

/** Records that were removed, of one kind; times are epoch ms. */
export interface Removed {
  readonly empresaId: number
  readonly tipo: TipoRetencao
  readonly times: readonly number[]
}

const DAY_MS = 86_400_000

/** Adds to what was removed today, in the transaction that removes it. */
export async function recordRemoved(tx: Database, { empresaId, tipo, times }: Removed, now: number): Promise<void> {
  if (times.length === 0) return
  const row = { quantos: times.length, de: Math.min(...times), ate: Math.max(...times) }
  const key = { empresa_id: empresaId, dia: Math.floor(now / DAY_MS), tipo }
  const before = await tx
    .insertInto('apagados_retencao')
    .values({ ...key, ...row, quantos: 0 })
    .onConflict((oc) =>
      oc.columns(['empresa_id', 'dia', 'tipo']).doUpdateSet((eb) => ({ quantos: eb.ref('apagados_retencao.quantos') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('apagados_retencao')
    .set({
      quantos: before.quantos + row.quantos,
      de: Math.min(before.de, row.de),
      ate: Math.max(before.ate, row.ate),
    })
    .where('empresa_id', '=', key.empresa_id)
    .where('dia', '=', key.dia)
    .where('tipo', '=', tipo)
    .execute()
}

/** The newest days first. */
export const listRemoved = (db: Database, empresaId: number, limit: number) =>
  db
    .selectFrom('apagados_retencao')
    .selectAll()
    .where('empresa_id', '=', empresaId)
    .orderBy('dia', 'desc')
    .orderBy('tipo')
    .limit(limit)
    .execute()
