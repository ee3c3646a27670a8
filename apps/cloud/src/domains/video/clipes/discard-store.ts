import type { Database } from '../../../db/open.ts'
import type { OrderPlace } from './store.ts'

/** Deleted clips whose copy the edge may hold, oldest first. */
export async function listDiscards(db: Database, { edgeId, empresaId }: OrderPlace, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('clipes_a_descartar')
    .select('uuid')
    .where('edge_id', '=', edgeId)
    .where('empresa_id', '=', empresaId)
    .orderBy('desde')
    .limit(limit)
    .execute()
  return rows.map(({ uuid }) => uuid)
}

/** Forgets those that the edge has discarded, or those listed before a time. */
export const forgetDiscards = async (
  db: Database,
  which: { readonly edgeId: number } & ({ readonly uuids: readonly string[] } | { readonly before: number }),
): Promise<void> => {
  await db
    .deleteFrom('clipes_a_descartar')
    .where('edge_id', '=', which.edgeId)
    .where((eb) => ('uuids' in which ? eb('uuid', 'in', which.uuids) : eb('desde', '<', which.before)))
    .execute()
}
