import type { Database } from './open.ts'

/** Turns expected numbers of a removed edge or camera into jumps: no sender remains. */
export async function expectNothing(db: Database, of: { readonly edgeId: number } | { readonly cameraId: number }) {
  await db
    .updateTable('lacunas')
    .set({ motivo: 'salto_de_sequencia' })
    .where('motivo', '=', 'a_caminho')
    .where((eb) => ('edgeId' in of ? eb('edge_id', '=', of.edgeId) : eb('camera_id', '=', of.cameraId)))
    .execute()
}
