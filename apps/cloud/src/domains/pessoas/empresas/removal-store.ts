import { dropFromLists } from '../../../db/alcance.ts'
import { dropCountsOf } from '../../../db/evento-counts.ts'
import type { Database } from '../../../db/open.ts'
import type { EmpresaRow } from '../../../db/rows.ts'

/** Cameras of one statement; SQLite accepts 32,766 values. */
const CAMERAS_AT_ONCE = 1_000

export async function hasChildren(tx: Database, id: number): Promise<boolean> {
  const child = await tx
    .selectFrom('empresas')
    .select('id')
    .where('empresa_pai_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return child !== undefined
}

/**
 * Deletes what gives access, and takes the Empresa out of lists of a reach. Sessions, grants, recovery codes and
 * subscriptions are deleted with their login.
 */
export async function deleteAccess(tx: Database, id: number): Promise<void> {
  for (const table of ['usuarios', 'quiosques', 'chaves', 'convites'] as const)
    await tx.deleteFrom(table).where('empresa_id', '=', id).execute()
  await dropFromLists(tx, id)
}

/** Deletes cameras with their silences, biases and sequence numbers, gravadores, and canais with their deliveries. */
export async function deleteEquipment(tx: Database, id: number): Promise<void> {
  await tx.deleteFrom('canais_notificacao').where('empresa_id', '=', id).execute()
  const cameras = await tx.deleteFrom('cameras').where('empresa_id', '=', id).returning('id').execute()
  await tx.deleteFrom('gravadores').where('empresa_id', '=', id).execute()
  const ids = cameras.map((camera) => camera.id)
  for (let i = 0; i < ids.length; i += CAMERAS_AT_ONCE)
    for (const table of ['sequencias', 'lacunas', 'orcamento_eventos', 'ajustes'] as const)
      await tx
        .deleteFrom(table)
        .where('camera_id', 'in', ids.slice(i, i + CAMERAS_AT_ONCE))
        .execute()
}

/** From now on the Empresa is in no scope and takes nothing new (db/empresas.ts, db/locks.ts). */
export const markRemoved = async (tx: Database, id: number, now: number): Promise<void> => {
  await tx.updateTable('empresas').set({ removida_em: now, host: null }).where('id', '=', id).execute()
}

/** Deletes the rest of a removed Empresa without eventos. undefined: it was deleted before. */
export async function deleteRemoved(tx: Database, id: number): Promise<EmpresaRow | undefined> {
  for (const table of ['incidentes', 'quedas', 'vlm_usos', 'placas', 'uso_midia'] as const)
    await tx.deleteFrom(table).where('empresa_id', '=', id).execute()
  await dropCountsOf(tx, id)
  await tx.deleteFrom('reservas_de_ids').where('dono', '=', 'empresa').where('dono_id', '=', id).execute()
  return tx
    .deleteFrom('empresas')
    .where('id', '=', id)
    .where('removida_em', 'is not', null)
    .returningAll()
    .executeTakeFirst()
}
