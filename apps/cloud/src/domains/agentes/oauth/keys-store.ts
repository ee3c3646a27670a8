import { type Selectable, sql } from 'kysely'
import { lockName } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { transact } from '../../../db/transaction.ts'

export type KeyRow = Selectable<Tables['chaves_oauth']>

/** Sorted in the order of signing. */
export const listKeys = (db: Database): Promise<KeyRow[]> =>
  db.selectFrom('chaves_oauth').selectAll().orderBy('assina_desde').orderBy('id').execute()

/**
 * Adds a key unless another process has added one after `newestId` (0: any), so that concurrent renewals create one
 * key.
 * @returns false: another process has added one
 * @param seal encrypts the private key for the id of the row
 */
export const addKeyAfter = (
  db: Database,
  newestId: number,
  key: Omit<KeyRow, 'id' | 'privada_cifrada'>,
  seal: (id: number) => string,
): Promise<boolean> =>
  transact(db, async (tx) => {
    await lockName(tx, 'chaves_oauth')
    const { rows } = await sql<{ id: number }>`
      insert into chaves_oauth (kid, publica_json, privada_cifrada, criada_em, assina_desde)
      select ${key.kid}, ${key.publica_json}, '', ${key.criada_em}, ${key.assina_desde}
      where not exists (select 1 from chaves_oauth where id > ${newestId})
      returning id`.execute(tx)
    const [row] = rows
    if (!row) return false
    await tx
      .updateTable('chaves_oauth')
      .set({ privada_cifrada: seal(row.id) })
      .where('id', '=', row.id)
      .execute()
    return true
  })

export const deleteKeys = async (db: Database, ids: readonly number[]): Promise<void> => {
  await db.deleteFrom('chaves_oauth').where('id', 'in', ids).execute()
}
