import type { Database } from '../../../db/open.ts'

/** The newest passages of a camera. */
export const newestPlates = (
  db: Database,
  cameraId: number,
  limit: number,
): Promise<{ readonly placa: string | null; readonly qualidade_json: string | null }[]> =>
  db
    .selectFrom('passagens')
    .select(['placa', 'qualidade_json'])
    .where('camera_id', '=', cameraId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
