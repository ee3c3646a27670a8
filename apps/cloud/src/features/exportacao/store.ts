import type { Database } from '../../db/open.ts'
import type { EventoRow } from '../../db/rows.ts'

/** Reviewed events with a picture; the period in epoch ms, `ate` exclusive. */
interface ReviewedFilter {
  /** At least one; null: all. */
  readonly empresas: readonly number[] | null
  readonly desde: number | undefined
  readonly ate: number | undefined
}

/** Ids of the reviewed events with a picture, oldest first. */
export const listReviewed = (db: Database, { empresas, desde, ate }: ReviewedFilter, limit: number) =>
  db
    .selectFrom('eventos')
    .select(['id', 'empresa_id'])
    .where('revisao_rotulo', 'is not', null)
    .where('crop_path', 'is not', null)
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(desde !== undefined, (qb) => qb.where('ocorrido_em', '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where('ocorrido_em', '<', ate ?? 0))
    .orderBy('ocorrido_em')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Those of `ids` that still have a review and a picture. */
export async function readReviewed(db: Database, ids: readonly number[]): Promise<EventoRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('eventos')
    .selectAll()
    .where('id', 'in', ids)
    .where('revisao_rotulo', 'is not', null)
    .where('crop_path', 'is not', null)
    .orderBy('id')
    .execute()
}
