import type { Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

type AnswerRow = Selectable<Tables['atendimentos']>

export const insertAnswer = async (tx: Database, answer: Omit<AnswerRow, 'id'>): Promise<void> => {
  await tx.insertInto('atendimentos').values(answer).execute()
}

/** Oldest first. */
export const listAnswers = (db: Database, incidenteId: number): Promise<AnswerRow[]> =>
  db.selectFrom('atendimentos').selectAll().where('incidente_id', '=', incidenteId).orderBy('id').execute()

/** Events of an incidente, oldest first; of many, the newest. */
export async function listEventsOf(db: Database, id: number, limit: number): Promise<EventoRow[]> {
  const rows = await db
    .selectFrom('eventos')
    .selectAll()
    .where('incidente_id', '=', id)
    .orderBy('ocorrido_em', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed()
}

/** Events without a review of the type that the cover has. */
export const listUnreviewed = (
  db: Database,
  { id, capa_evento_id }: { readonly id: number; readonly capa_evento_id: number },
): Promise<EventoRow[]> =>
  db
    .selectFrom('eventos')
    .selectAll()
    .where('incidente_id', '=', id)
    .where('revisao_rotulo', 'is', null)
    .where('tipo', '=', (eb) =>
      eb.selectFrom('eventos as capa').select('capa.tipo').where('capa.id', '=', capa_evento_id),
    )
    .orderBy('id')
    .execute()
