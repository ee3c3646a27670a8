import type { ExpressionBuilder } from 'kysely'
import { type Due, isDue } from './due.ts'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

/** Turns expected numbers of a removed edge or camera into jumps: no sender remains. */
export async function expectNothing(db: Database, of: { readonly edgeId: number } | { readonly cameraId: number }) {
  await db
    .updateTable('lacunas')
    .set({ motivo: 'salto_de_sequencia' })
    .where('motivo', '=', 'a_caminho')
    .where((eb) => ('edgeId' in of ? eb('edge_id', '=', of.edgeId) : eb('camera_id', '=', of.cameraId)))
    .execute()
}

/** Condition: the camera of the gap was removed. */
export const withoutCamera = (eb: ExpressionBuilder<Tables, 'lacunas'>) =>
  eb('camera_id', 'not in', eb.selectFrom('cameras').select('cameras.id'))

/** Deletes gaps of removed cameras. */
export const dropLacunas = async (db: Database, due: Due): Promise<void> => {
  await db.deleteFrom('lacunas').where(withoutCamera).where(isDue('registrada_em', due)).execute()
}
