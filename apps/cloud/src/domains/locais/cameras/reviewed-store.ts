import type { Database } from '../../../db/open.ts'
import type { Reviewed } from './suggest-conf.ts'

/** The newest reviews of a camera and IA, with the confidence of the detection. */
export async function listReviewedConfidences(
  db: Database,
  cameraId: number,
  ia: string,
  limit: number,
): Promise<Reviewed[]> {
  const rows = await db
    .selectFrom('eventos')
    .select(['confianca', 'revisao_rotulo'])
    .where('camera_id', '=', cameraId)
    .where('tipo', '=', ia)
    .where('revisao_rotulo', 'is not', null)
    .where('prova', '=', 0)
    .orderBy('revisado_em', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ confianca, revisao_rotulo }) => ({ confianca, real: revisao_rotulo === 'confirmado' }))
}
