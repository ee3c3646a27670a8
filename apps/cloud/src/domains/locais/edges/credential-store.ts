import type { Database } from '../../../db/open.ts'
import type { EdgeCredential } from '../../../http/route.ts'

/** Stores a token, and removes the tokens of this edge that expired before `before`. */
export async function insertCredential(
  tx: Database,
  hash: string,
  { edgeId, finalidade, alvo }: EdgeCredential,
  { venceEm, before }: { readonly venceEm: number; readonly before: number },
): Promise<void> {
  await tx.deleteFrom('credenciais_edge').where('edge_id', '=', edgeId).where('vence_em', '<', before).execute()
  await tx
    .insertInto('credenciais_edge')
    .values({ hash, edge_id: edgeId, finalidade, alvo, vence_em: venceEm, usada_em: null })
    .execute()
}

/** A token of an edge that still exists and is activated. */
export const findCredential = (db: Database, hash: string) =>
  db
    .selectFrom('credenciais_edge')
    .innerJoin('edges', 'edges.id', 'credenciais_edge.edge_id')
    .select(['edge_id', 'finalidade', 'alvo', 'vence_em', 'usada_em'])
    .where('hash', '=', hash)
    .where('edges.ativado_em', 'is not', null)
    .executeTakeFirst()

export async function markCredentialsUsed(
  tx: Database,
  { edgeId, finalidade, alvo }: EdgeCredential,
  now: number,
): Promise<void> {
  await tx
    .updateTable('credenciais_edge')
    .set({ usada_em: now })
    .where('edge_id', '=', edgeId)
    .where('finalidade', '=', finalidade)
    .where('alvo', '=', alvo)
    .where('usada_em', 'is', null)
    .execute()
}
