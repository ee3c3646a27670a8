import type { Database } from './open.ts'

/** Nobody sends any more what was on its way from this edge, or of this camera: it was removed. */
export async function expectNothing(db: Database, of: { readonly edgeId: number } | { readonly cameraId: number }) {
  await db
    .updateTable('lacunas')
    .set({ motivo: 'salto_de_sequencia' })
    .where('motivo', '=', 'a_caminho')
    .where((eb) => ('edgeId' in of ? eb('edge_id', '=', of.edgeId) : eb('camera_id', '=', of.cameraId)))
    .execute()
}
