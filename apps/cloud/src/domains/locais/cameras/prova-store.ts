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

/** Whether one of these eventos was sent live to a stream of another session than `sessaoId`; 0: of any. */
export const isShownElsewhere = async (
  db: Database,
  eventos: readonly number[],
  sessaoId: number,
): Promise<boolean> => {
  if (eventos.length === 0) return false
  const row = await db
    .selectFrom('alertas')
    .select('seq')
    .where('evento_id', 'in', eventos)
    .where('tipo', '=', 'alerta')
    .where((eb) => eb.or([eb('sessao_id', '<>', sessaoId), eb('outra_sessao_id', '<>', sessaoId)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a push service accepted a message of one of these eventos up to `fim` (epoch ms). */
export const isPushed = async (db: Database, eventos: readonly number[], fim: number): Promise<boolean> => {
  if (eventos.length === 0) return false
  const row = await db
    .selectFrom('envios_push')
    .select('id')
    .where('evento_id', 'in', eventos)
    .where('aceito_em', '<=', fim)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type EventoSeen = Awaited<ReturnType<typeof eventosSince>>[number]
