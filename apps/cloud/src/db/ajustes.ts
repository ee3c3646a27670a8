import { reviewBias, sumReviews } from '@vigia/ias/review-bias'
import type { Selectable } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type AjusteRow = Selectable<Tables['ajustes']>

/** Newest reviews that count: a camera that was moved leaves its old reviews behind. */
const REVIEWS_MAX = 500

/** Bias of the next verdict of that camera and IA, in logits. */
export async function biasOf(db: Database, cameraId: number, ia: string): Promise<number> {
  const row = await db
    .selectFrom('ajustes')
    .select('ajuste')
    .where('camera_id', '=', cameraId)
    .where('ia', '=', ia)
    .executeTakeFirst()
  return row?.ajuste ?? 0
}

export const listAjustes = (db: Database, cameraId: number): Promise<AjusteRow[]> =>
  db.selectFrom('ajustes').selectAll().where('camera_id', '=', cameraId).orderBy('ia').execute()

/**
 * Computes the bias again, in the transaction of a review. Locks its row first, so that of two concurrent reviews the
 * second reads the first. Lock order: after the counts, before the words of the search.
 */
export async function refreshAjuste(tx: Database, cameraId: number, ia: string, now: number): Promise<void> {
  const camera = await tx.selectFrom('cameras').select('id').where('id', '=', cameraId).executeTakeFirst()
  if (!camera) return
  const { desde } = await lockAjuste(tx, cameraId, ia, now)
  await saveAjuste(tx, { camera_id: cameraId, ia, desde, calculado_em: now })
}

/** Lets only reviews after `now` count. Returns the row before. */
export async function resetAjuste(tx: Database, cameraId: number, ia: string, now: number): Promise<AjusteRow> {
  const before = await lockAjuste(tx, cameraId, ia, now)
  await saveAjuste(tx, { camera_id: cameraId, ia, desde: now, calculado_em: now })
  return before
}

const lockAjuste = (tx: Database, cameraId: number, ia: string, now: number): Promise<AjusteRow> =>
  tx
    .insertInto('ajustes')
    .values({
      camera_id: cameraId,
      ia,
      ajuste: 0,
      revisoes: 0,
      verdadeiros: 0,
      esperados: 0,
      variancia: 0,
      desde: null,
      calculado_em: now,
    })
    .onConflict((conflict) => conflict.columns(['camera_id', 'ia']).doUpdateSet({ calculado_em: now }))
    .returningAll()
    .executeTakeFirstOrThrow()

async function saveAjuste(
  tx: Database,
  { camera_id, ia, desde, calculado_em }: Pick<AjusteRow, 'camera_id' | 'ia' | 'desde' | 'calculado_em'>,
): Promise<void> {
  const reviewed = await tx
    .selectFrom('eventos')
    .select(['veredito_decisao', 'veredito_confianca', 'veredito_ajuste', 'revisao_rotulo'])
    .where('camera_id', '=', camera_id)
    .where('tipo', '=', ia)
    .where('revisao_rotulo', 'is not', null)
    .where('revisao_pessoa', '=', 1)
    .where('prova', '=', 0)
    .where('veredito_ajuste', 'is not', null)
    .$if(desde !== null, (qb) => qb.where('revisado_em', '>', desde ?? 0))
    .orderBy('revisado_em', 'desc')
    .limit(REVIEWS_MAX)
    .execute()
  const sums = sumReviews(
    reviewed.flatMap(({ veredito_decisao, veredito_confianca, veredito_ajuste, revisao_rotulo }) =>
      veredito_decisao === null || veredito_confianca === null
        ? []
        : [
            {
              decisao: veredito_decisao,
              confianca: veredito_confianca,
              ajuste: veredito_ajuste ?? 0,
              real: revisao_rotulo === 'confirmado',
            },
          ],
    ),
  )
  await tx
    .updateTable('ajustes')
    .set({ ...sums, ajuste: reviewBias(sums), desde, calculado_em })
    .where('camera_id', '=', camera_id)
    .where('ia', '=', ia)
    .execute()
}
