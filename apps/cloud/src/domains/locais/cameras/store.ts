import type { Insertable } from 'kysely'
import { camerasColumns, camerasNamed } from '../../../db/canal-fields.ts'
import { lockChosen } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export type NewCamera = Insertable<Tables['cameras']>
/** @param empresaIds null: all Empresas. */
export async function countActiveCameras(db: Database, empresaIds: readonly number[] | null): Promise<number> {
  const { n } = await db
    .selectFrom('cameras')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('ativa', '=', 1)
    .$if(empresaIds !== null, (qb) => qb.where('empresa_id', 'in', empresaIds ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The last report of an edge, without its cameras. */
export const findRecordingEdge = (db: Database, id: number) =>
  db
    .selectFrom('edges')
    .select('relato_json')
    .where('id', '=', id)
    .executeTakeFirst()
    .then((row) => row ?? null)
export type RecordingEdge = NonNullable<Awaited<ReturnType<typeof findRecordingEdge>>>

export const insertCamera = async (db: Database, values: NewCamera): Promise<number> =>
  (await db.insertInto('cameras').values(values).returning('id').executeTakeFirstOrThrow()).id

export const deleteCamera = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('cameras').where('id', '=', id).execute()
}

/** Canais limited to this camera alone, ordered by id; they are removed with it. */
export const listCanaisOfCamera = (db: Database, cameraId: number): Promise<CanalRow[]> =>
  db.selectFrom('canais_notificacao').selectAll().where('camera_id', '=', cameraId).orderBy('id').execute()

/**
 * Takes a removed camera out of the canais that name several, ordered by id. Call it after the removal, so that no
 * canal can name the camera again.
 */
export async function leaveCanais(
  tx: Database,
  { id, empresa_id }: { readonly id: number; readonly empresa_id: number },
  now: number,
): Promise<{ readonly antes: CanalRow; readonly depois: CanalRow }[]> {
  const several = tx.selectFrom('canais_notificacao').selectAll().where('empresa_id', '=', empresa_id)
  const canais = await lockChosen(tx, several.where('cameras_json', '!=', '[]').orderBy('id')).execute()
  const changed: { antes: CanalRow; depois: CanalRow }[] = []
  for (const antes of canais) {
    const named = camerasNamed(antes)
    if (!named.includes(id)) continue
    const columns = camerasColumns(named.filter((camera) => camera !== id))
    const change = tx.updateTable('canais_notificacao').set({ ...columns, atualizado_em: now })
    const depois = await change.where('id', '=', antes.id).returningAll().executeTakeFirstOrThrow()
    changed.push({ antes, depois })
  }
  return changed
}
