import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Lacuna } from './sequence.ts'

/** Maximum rows of one reason, camera and edge. */
export const MAX_GAPS = 256
/** The newest rows that a merge keeps separate, so that one merge serves many batches. */
const KEPT_APART = MAX_GAPS / 2

/**
 * An edge can create one gap per record. Above MAX_GAPS, the oldest rows are merged into one row with their range and
 * the count of missing numbers. A late event for a merged number gets a new id.
 */
export async function mergeOldGaps(
  tx: Database,
  {
    edgeId,
    cameraId,
    motivo,
  }: { readonly edgeId: number; readonly cameraId: number; readonly motivo: Lacuna['motivo'] },
): Promise<void> {
  // Expected numbers are bounded in plan-batch.ts, and their ids are still needed.
  if (motivo === 'a_caminho') return
  const ofKind = (eb: ExpressionBuilder<Tables, 'lacunas'>) => eb.and({ edge_id: edgeId, camera_id: cameraId, motivo })
  const newestFirst = tx.selectFrom('lacunas').where(ofKind).select('de_seq').orderBy('de_seq', 'desc').limit(1)
  if ((await newestFirst.offset(MAX_GAPS).executeTakeFirst()) === undefined) return
  const { de_seq: border } = await newestFirst.offset(KEPT_APART).executeTakeFirstOrThrow()
  const { fn } = tx
  const { id, faltam, ...span } = await tx
    .selectFrom('lacunas')
    .where(ofKind)
    .where('de_seq', '<=', border)
    .select((eb) => [
      fn.min<number>('id').as('id'),
      fn.min('de_seq').as('de_seq'),
      fn.max('ate_seq').as('ate_seq'),
      fn.min('ocorrido_de').as('ocorrido_de'),
      fn.max('ocorrido_ate').as('ocorrido_ate'),
      fn.max('registrada_em').as('registrada_em'),
      // A gap of unknown length ends before it begins and counts as zero.
      fn
        .sum<number>(
          eb
            .case()
            .when('faltam', 'is not', null)
            .then(eb.ref('faltam'))
            .when('ate_seq', '<', eb.ref('de_seq'))
            .then(0)
            .else(eb(eb('ate_seq', '-', eb.ref('de_seq')), '+', 1))
            .end(),
        )
        .as('faltam'),
    ])
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('lacunas').where(ofKind).where('de_seq', '<=', border).where('id', '!=', id).execute()
  const merged = { ...span, uuid: null, id_reservado: null, faltam: Math.min(Number(faltam), Number.MAX_SAFE_INTEGER) }
  await tx.updateTable('lacunas').set(merged).where('id', '=', id).execute()
}
