import type { Insertable } from 'kysely'
import { type Pages, pagesOf } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { ChaveRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

/** Including expired keys. @param empresas null: every Empresa */
export const keysOf = (db: Database, empresas: readonly number[] | null): Pages<ChaveRow> =>
  pagesOf(
    db
      .selectFrom('chaves')
      .selectAll()
      .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? [])),
  )

export const findKey = (db: Database, id: number): Promise<ChaveRow | undefined> =>
  db.selectFrom('chaves').selectAll().where('id', '=', id).executeTakeFirst()

/** The key with this hash, unless it has expired. */
export const findLiveKey = (db: Database, hash: string, now: number): Promise<ChaveRow | undefined> =>
  db
    .selectFrom('chaves')
    .selectAll()
    .where('chave_hash', '=', hash)
    .where((eb) => eb.or([eb('validade', 'is', null), eb('validade', '>', now)]))
    .executeTakeFirst()

/** @throws unique violation (db/errors.ts) when the Empresa has a key of this name */
export const insertKey = (db: Database, values: Insertable<Tables['chaves']>): Promise<ChaveRow> =>
  db.insertInto('chaves').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns the deleted row; undefined: no such key. */
export const deleteKey = (db: Database, id: number): Promise<ChaveRow | undefined> =>
  db.deleteFrom('chaves').where('id', '=', id).returningAll().executeTakeFirst()

export const markKeyUsed = async (db: Database, id: number, now: number): Promise<void> => {
  await db.updateTable('chaves').set({ usada_em: now }).where('id', '=', id).execute()
}
