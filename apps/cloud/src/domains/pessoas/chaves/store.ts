import type { Insertable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { ChaveRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import type { PageRows } from '../../../http/page-cursor.ts'

/** @param empresas null: every Empresa */
const inEmpresas = (db: Database, empresas: readonly number[] | null) =>
  db.selectFrom('chaves').$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))

/** Newest first, including expired keys. */
export const listKeys = (
  db: Database,
  empresas: readonly number[] | null,
  { before, limit, offset }: PageRows,
): Promise<ChaveRow[]> =>
  inEmpresas(db, empresas)
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countKeys(db: Database, empresas: readonly number[] | null): Promise<number> {
  const { n } = await inEmpresas(db, empresas)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

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
