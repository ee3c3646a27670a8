import { empresaInPeriod } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import type { Periodo } from '../../../http/past-period.ts'

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

/** Events of a period, oldest first, with the bytes of their measured pictures and the id of their stored clip. */
export const listPeriod = (db: Database, { empresaId, cameras, inicio, fim }: Periodo, limit: number) =>
  db
    .selectFrom('eventos')
    .leftJoin('clipes_eventos', 'clipes_eventos.evento_id', 'eventos.id')
    .leftJoin('clipes', (join) =>
      join.onRef('clipes.id', '=', 'clipes_eventos.clipe_id').on('clipes.estado', '=', 'guardado'),
    )
    .select(['eventos.id', 'eventos.ocorrido_em', 'eventos.midia_bytes', 'clipes.id as clipe_id', 'clipes.tamanho'])
    .where(empresaInPeriod(db), '=', empresaId)
    .where('eventos.ocorrido_em', '>=', inicio)
    .where('eventos.ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('eventos.camera_id', 'in', cameras ?? []))
    .orderBy('eventos.ocorrido_em')
    .orderBy('eventos.id')
    .limit(limit)
    .execute()

export async function countPeriod(db: Database, { empresaId, cameras, inicio, fim }: Periodo): Promise<number> {
  const { n } = await db
    .selectFrom('eventos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(empresaInPeriod(db), '=', empresaId)
    .where('ocorrido_em', '>=', inicio)
    .where('ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('camera_id', 'in', cameras ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}
