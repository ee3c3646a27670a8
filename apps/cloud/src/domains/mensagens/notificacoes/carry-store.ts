import type { Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

export type EntregaRow = Selectable<Tables['entregas']>

/** Waiting messages about incidentes from the canal of a delivery to its destination, without the delivery itself. */
const others = (db: Database, { id, canal_id, destino }: EntregaRow) =>
  db
    .selectFrom('entregas')
    .where('canal_id', '=', canal_id)
    .where('destino', '=', destino)
    .where('estado', '=', 'pendente')
    .where('resumivel', '=', 1)
    .where('id', '<>', id)

/** Oldest first. */
export const listWaiting = (
  db: Database,
  row: EntregaRow,
  { backlogOnly, limit }: { readonly backlogOnly: boolean; readonly limit: number },
): Promise<EntregaRow[]> =>
  others(db, row)
    .selectAll()
    .$if(backlogOnly, (qb) => qb.where('atrasada', '=', 1))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Times of the oldest and the newest waiting message about backlog, with the delivery itself. */
export async function backlogSpan(db: Database, row: EntregaRow): Promise<{ oldest: number; newest: number }> {
  const span = await others(db, row)
    .where('atrasada', '=', 1)
    .select(({ fn }) => [
      fn.min<number | null>('criada_em').as('oldest'),
      fn.max<number | null>('criada_em').as('newest'),
    ])
    .executeTakeFirstOrThrow()
  const { criada_em } = row
  return {
    oldest: Math.min(criada_em, span.oldest ?? criada_em),
    newest: Math.max(criada_em, span.newest ?? criada_em),
  }
}

/** Ids of the first messages of a canal about incidentes, by incidente. */
export async function firstMessages(
  db: Database,
  canalId: number,
  incidentes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (incidentes.length === 0) return new Map()
  const rows = await db
    .selectFrom('avisos_incidente')
    .select(['incidente_id', 'mensagem_id'])
    .where('canal_id', '=', canalId)
    .where('incidente_id', 'in', incidentes)
    .execute()
  return new Map(
    rows.flatMap(({ incidente_id, mensagem_id }): [number, string][] =>
      mensagem_id === null ? [] : [[incidente_id, mensagem_id]],
    ),
  )
}

/** Marks messages that the summary of another delivery carried. */
export async function markCarried(tx: Database, ids: readonly number[], resumoId: number, now: number): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('entregas')
    .set({ estado: 'entregue', terminada_em: now, resumo_id: resumoId })
    .where('id', 'in', ids)
    .where('estado', '=', 'pendente')
    .execute()
}
