import type { Insertable } from 'kysely'
import { type Pages, pagesOf } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { ProvaRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

/** Kept records of one camera. */
export const MOST_PROVAS = 1_000

/** Stores a record of a locked camera, and deletes those beyond its newest. */
export async function insertProva(tx: Database, values: Insertable<Tables['provas']>): Promise<ProvaRow> {
  const row = await tx.insertInto('provas').values(values).returningAll().executeTakeFirstOrThrow()
  const own = tx.selectFrom('provas').select('id').where('camera_id', '=', row.camera_id)
  const oldest = await own.orderBy('id', 'desc').limit(1).offset(MOST_PROVAS).executeTakeFirst()
  if (oldest)
    await tx.deleteFrom('provas').where('camera_id', '=', row.camera_id).where('id', '<=', oldest.id).execute()
  return row
}

export const provasOf = (db: Database, cameraId: number): Pages<ProvaRow> =>
  pagesOf(db.selectFrom('provas').selectAll().where('camera_id', '=', cameraId))

/** Eventos of the camera that occurred since `inicio` (epoch ms), newest first. */
export const eventosSince = (db: Database, cameraId: number, inicio: number, limit: number) =>
  db
    .selectFrom('eventos')
    .select(['id', 'tipo', 'zona', 'ocorrido_em', 'recebido_em', 'veredito_decisao', 'verificado_em'])
    .where('camera_id', '=', cameraId)
    .where('ocorrido_em', '>=', inicio)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type EventoSeen = Awaited<ReturnType<typeof eventosSince>>[number]
