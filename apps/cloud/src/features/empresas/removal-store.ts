import { dropCountsOf } from '../../db/evento-counts.ts'
import type { Database } from '../../db/open.ts'
import type { EmpresaRow } from '../../db/rows.ts'

export async function hasChildren(tx: Database, id: number): Promise<boolean> {
  const child = await tx
    .selectFrom('empresas')
    .select('id')
    .where('empresa_pai_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return child !== undefined
}

/** Deletes what gives access. Sessions, grants, recovery codes and subscriptions are deleted with their login. */
export async function deleteAccess(tx: Database, id: number): Promise<void> {
  for (const table of ['usuarios', 'quiosques', 'chaves', 'convites'] as const)
    await tx.deleteFrom(table).where('empresa_id', '=', id).execute()
}

/** Deletes cameras with their silences, gravadores, and canais with their deliveries. */
export async function deleteEquipment(tx: Database, id: number): Promise<void> {
  const cameras = tx.selectFrom('cameras').select('id').where('empresa_id', '=', id)
  // No edge sends the missing numbers of a deleted camera.
  await tx
    .updateTable('lacunas')
    .set({ motivo: 'salto_de_sequencia' })
    .where('motivo', '=', 'a_caminho')
    .where('camera_id', 'in', cameras)
    .execute()
  for (const table of ['canais_notificacao', 'cameras', 'gravadores'] as const)
    await tx.deleteFrom(table).where('empresa_id', '=', id).execute()
}

/** From now on the Empresa is in no scope and takes nothing new (db/empresas.ts, db/locks.ts). */
export const markRemoved = async (tx: Database, id: number, now: number): Promise<void> => {
  await tx.updateTable('empresas').set({ removida_em: now, host: null }).where('id', '=', id).execute()
}

/** Deletes the rest of a removed Empresa without eventos. undefined: it was deleted before. */
export async function deleteRemoved(tx: Database, id: number): Promise<EmpresaRow | undefined> {
  for (const table of ['incidentes', 'quedas'] as const)
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
