import type { Insertable, Selectable, Updateable } from 'kysely'
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

/** The Empresa at the top of the tree in which `id` stands; `id` itself where there is none above it. */
export async function rootOf(db: Database, id: number): Promise<number> {
  const top = await db
    .withRecursive('acima', (qb) =>
      qb
        .selectFrom('empresas')
        .select(['id', 'empresa_pai_id'])
        .where('id', '=', id)
        .union(
          qb
            .selectFrom('empresas')
            .innerJoin('acima', 'acima.empresa_pai_id', 'empresas.id')
            .select(['empresas.id', 'empresas.empresa_pai_id']),
        ),
    )
    .selectFrom('acima')
    .select('id')
    .where('empresa_pai_id', 'is', null)
    .executeTakeFirst()
  return top?.id ?? id
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

/** @param host lower case, without a port */
export const findEmpresaByHost = (db: Database, host: string): Promise<EmpresaRow | undefined> =>
  db.selectFrom('empresas').selectAll().where('host', '=', host).executeTakeFirst()

export const insertEmpresa = (db: Database, values: Insertable<Tables['empresas']>): Promise<EmpresaRow> =>
  db.insertInto('empresas').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns the row as it is then. @throws a unique violation (db/errors.ts) when the host is taken. */
export const updateEmpresa = (db: Database, id: number, changes: Updateable<Tables['empresas']>): Promise<EmpresaRow> =>
  db.updateTable('empresas').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Edges that run cameras of the Empresa. */
export async function edgesOfEmpresa(db: Database, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('cameras')
    .select('edge_id')
    .distinct()
    .where('empresa_id', '=', id)
    .where('edge_id', 'is not', null)
    .$narrowType<{ edge_id: number }>()
    .execute()
  return rows.map(({ edge_id }) => edge_id)
}
