import type { Database } from '../../../db/open.ts'
import { indexAnswer, indexEvents, indexReview } from '../../../db/search-index.ts'
import { transact } from '../../../db/transaction.ts'

/** Records that one transaction indexes. */
const STEP = 100

/**
 * Indexes the next records of earlier releases, newest first, in one transaction. Concurrent processes take turns.
 * @returns false: none was left
 */
export const fillStep = (db: Database): Promise<boolean> =>
  transact(db, async (tx) => {
    // An update locks the row on every database.
    const next = await tx
      .updateTable('busca_preenchimento')
      .set((eb) => ({ ate_id: eb.ref('ate_id') }))
      .returningAll()
      .execute()
    const [first] = next.toSorted((a, b) => (a.alvo < b.alvo ? 1 : -1))
    if (!first) return false
    const { alvo, ate_id } = first
    const done = alvo === 'eventos' ? await fillEvents(tx, ate_id) : await fillAnswers(tx, ate_id)
    if (done === null) await tx.deleteFrom('busca_preenchimento').where('alvo', '=', alvo).execute()
    else await tx.updateTable('busca_preenchimento').set({ ate_id: done }).where('alvo', '=', alvo).execute()
    return true
  })

/** Returns the lowest indexed id; null: there was no event. */
async function fillEvents(tx: Database, before: number): Promise<number | null> {
  const rows = await tx
    .selectFrom('eventos')
    .select(['id', 'empresa_id', 'camera_id', 'camera_nome', 'tipo', 'rotulos_json', 'detalhes_json'])
    .select(['incidente_id', 'revisao_revisor'])
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(STEP)
    .execute()
  await indexEvents(tx, rows)
  for (const row of rows) if (row.revisao_revisor !== null) await indexReview(tx, row, row.revisao_revisor)
  return rows.at(-1)?.id ?? null
}

/** Returns the lowest indexed id; null: there was no answer. */
async function fillAnswers(tx: Database, before: number): Promise<number | null> {
  const rows = await tx
    .selectFrom('atendimentos')
    .innerJoin('incidentes', 'incidentes.id', 'atendimentos.incidente_id')
    .select(['atendimentos.id', 'atendimentos.nota', 'atendimentos.revisor'])
    .select(['incidentes.id as incidente_id', 'incidentes.empresa_id'])
    .where('atendimentos.id', '<', before)
    .orderBy('atendimentos.id', 'desc')
    .limit(STEP)
    .execute()
  for (const { incidente_id, empresa_id, revisor, nota } of rows)
    await indexAnswer(tx, { id: incidente_id, empresa_id }, { revisor, nota })
  return rows.at(-1)?.id ?? null
}
