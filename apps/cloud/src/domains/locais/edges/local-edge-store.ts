import type { Database } from '../../../db/open.ts'
import type { CameraRow, GravadorRow } from '../../../db/rows.ts'

/** Whether the local edge may serve the Empresa. */
export const usesLocalEdge = async (db: Database, empresaId: number): Promise<boolean> =>
  (await db
    .selectFrom('empresas')
    .select('id')
    .where('id', '=', empresaId)
    .where('usa_edge_local', '=', 1)
    .executeTakeFirst()) !== undefined

/** Takes the local edge from the gravadores of an Empresa. Returns the rows before. */
export async function leaveLocalEdge(tx: Database, empresaId: number): Promise<GravadorRow[]> {
  const rows = await tx
    .selectFrom('gravadores')
    .innerJoin('edges', 'edges.id', 'gravadores.edge_id')
    .selectAll('gravadores')
    .where('gravadores.empresa_id', '=', empresaId)
    .where('edges.local', '=', 1)
    .orderBy('gravadores.id')
    .execute()
  for (const { id } of rows) await tx.updateTable('gravadores').set({ edge_id: null }).where('id', '=', id).execute()
  return rows
}

/** Cameras of the Empresa without an edge or on the local edge. */
export const listCamerasToServe = (db: Database, empresaId: number): Promise<CameraRow[]> =>
  db
    .selectFrom('cameras')
    .leftJoin('edges', 'edges.id', 'cameras.edge_id')
    .selectAll('cameras')
    .where('cameras.empresa_id', '=', empresaId)
    .where((eb) => eb.or([eb('cameras.edge_id', 'is', null), eb('edges.local', '=', 1)]))
    .orderBy('cameras.id')
    .execute()
