import { sql } from 'kysely'
import { withSubtree } from '../../../db/empresas.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'

const sumOnEdge = (db: Database, edgeId: number) =>
  db
    .selectFrom('cameras')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('desejado_bytes'), sql<number>`0`).as('bytes'))
    .where('edge_id', '=', edgeId)

/** Bytes of the cameras of one Empresa in the desired state of an edge. */
export async function bytesOfEmpresa(db: Database, edgeId: number, empresaId: number): Promise<number> {
  const { bytes } = await sumOnEdge(db, edgeId).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Bytes of the cameras of an Empresa and its descendants in the desired state of an edge. */
export async function bytesOfTree(db: Database, edgeId: number, rootId: number): Promise<number> {
  const { bytes } = await withSubtree(db, rootId)
    .selectFrom('cameras')
    .innerJoin('arvore', 'arvore.id', 'cameras.empresa_id')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('desejado_bytes'), sql<number>`0`).as('bytes'))
    .where('edge_id', '=', edgeId)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** The next cameras after the id `after`, ordered by id. */
export const camerasAfter = (db: Database, after: number, limit: number): Promise<CameraRow[]> =>
  db.selectFrom('cameras').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()

/** Writes the sizes that `count` returns for the current rows of the cameras (ordered by id). */
export const recountCameras = (
  db: Database,
  ids: readonly number[],
  count: (row: CameraRow) => number,
): Promise<void> =>
  transact(db, async (tx) => {
    for (const id of ids) {
      await lockCamera(tx, id)
      const row = await tx.selectFrom('cameras').selectAll().where('id', '=', id).executeTakeFirst()
      if (row)
        await tx
          .updateTable('cameras')
          .set({ desejado_bytes: count(row) })
          .where('id', '=', id)
          .execute()
    }
  })
