import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type EmpresaRow = Selectable<Tables['empresas']>

/** `rootId` and every Empresa below it. A cycle in the data cannot make it run for ever: UNION keeps each id once. */
export async function subtreeIds(db: Database, rootId: number): Promise<Set<number>> {
  const rows = await db
    .withRecursive('arvore', (qb) =>
      qb
        .selectFrom('empresas')
        .select('id')
        .where('id', '=', rootId)
        .union(
          qb.selectFrom('empresas').innerJoin('arvore', 'arvore.id', 'empresas.empresa_pai_id').select('empresas.id'),
        ),
    )
    .selectFrom('arvore')
    .select('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** In order of id. @param ids null: all. */
export const listEmpresas = (db: Database, ids: readonly number[] | null): Promise<EmpresaRow[]> =>
  db
    .selectFrom('empresas')
    .selectAll()
    .$if(ids !== null, (qb) => qb.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()

export const findEmpresa = (db: Database, id: number): Promise<EmpresaRow | undefined> =>
  db.selectFrom('empresas').selectAll().where('id', '=', id).executeTakeFirst()

export const insertEmpresa = (db: Database, values: Insertable<Tables['empresas']>): Promise<EmpresaRow> =>
  db.insertInto('empresas').values(values).returningAll().executeTakeFirstOrThrow()
