import type { Database } from '../../../db/open.ts'
import { isLeader } from '../../../db/replicas.ts'

/** The revocation list of the installation's CA. */
export const readRevocationList = (db: Database) =>
  db.selectFrom('lista_revogacao').select(['pem', 'resumo', 'criada_em']).where('id', '=', 1).executeTakeFirstOrThrow()

/**
 * @param replica of several, the one that stores the list
 * @returns false: that replica is no longer the leader
 */
export async function storeRevocationList(
  db: Database,
  list: { readonly pem: string; readonly resumo: string; readonly criada_em: number },
  replica: string | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lista_revogacao')
    .set(list)
    .where('id', '=', 1)
    .$if(replica !== undefined, (qb) => qb.where(isLeader(replica ?? '')))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
