import type { Selectable } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type EvidenciaRow = Selectable<Tables['evidencias']>

/** Further pictures of an event, in the order of their arrival. */
export const findEvidencias = (db: Database, eventoId: number): Promise<EvidenciaRow[]> =>
  db.selectFrom('evidencias').selectAll().where('evento_id', '=', eventoId).orderBy('ordem').execute()
