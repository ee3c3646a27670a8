import type { Database } from './open.ts'
import type { EmpresaRow } from './rows.ts'

/**
 * Starts a query with the table `arvore`: the ids of `rootId` and its descendants, without those whose removal is under
 * way. UNION keeps each id once, so that a cycle in the data cannot make it endless.
 */
export const withSubtree = (db: Database, rootId: number) =>
  db.withRecursive('arvore', (qb) =>
    qb
      .selectFrom('empresas')
      .select('id')
      .where('id', '=', rootId)
      .where('removida_em', 'is', null)
      .union(
        qb
          .selectFrom('empresas')
          .innerJoin('arvore', 'arvore.id', 'empresas.empresa_pai_id')
          .select('empresas.id')
          .where('empresas.removida_em', 'is', null),
      ),
  )

/** The ids of `rootId` and its descendants. */
export async function subtreeIds(db: Database, rootId: number): Promise<Set<number>> {
  const rows = await withSubtree(db, rootId).selectFrom('arvore').select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns the root Empresa of the tree of `id`; `id` itself if it is a root. */
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

/** Ordered by id, without those whose removal is under way. @param ids null: all. */
export const listEmpresas = (db: Database, ids: readonly number[] | null): Promise<EmpresaRow[]> =>
  db
    .selectFrom('empresas')
    .selectAll()
    .where('removida_em', 'is', null)
    .$if(ids !== null, (qb) => qb.where('id', 'in', ids ?? []))
    .orderBy('id')
    .execute()

/** Those of these Empresas that exist and are not being removed. */
export async function livingIds(db: Database, ids: readonly number[]): Promise<Set<number>> {
  const rows = await listEmpresas(db, ids)
  return new Set(rows.map(({ id }) => id))
}

/** These Empresas and all above them, ordered by id. @param ids null: all */
export const listWithAbove = (db: Database, ids: readonly number[] | null): Promise<EmpresaRow[]> =>
  ids === null
    ? listEmpresas(db, null)
    : db
        .withRecursive('acima', (qb) =>
          qb
            .selectFrom('empresas')
            .select(['id', 'empresa_pai_id'])
            .where('id', 'in', ids)
            .union(
              qb
                .selectFrom('empresas')
                .innerJoin('acima', 'acima.empresa_pai_id', 'empresas.id')
                .select(['empresas.id', 'empresas.empresa_pai_id']),
            ),
        )
        .selectFrom('empresas')
        .selectAll('empresas')
        .where('empresas.id', 'in', (qb) => qb.selectFrom('acima').select('acima.id'))
        .orderBy('empresas.id')
        .execute()

/** undefined: it does not exist, or its removal is under way. */
export const findEmpresa = (db: Database, id: number): Promise<EmpresaRow | undefined> =>
  db.selectFrom('empresas').selectAll().where('id', '=', id).where('removida_em', 'is', null).executeTakeFirst()

/** @param host lower case, without a port */
export const findEmpresaByHost = (db: Database, host: string): Promise<EmpresaRow | undefined> =>
  db.selectFrom('empresas').selectAll().where('host', '=', host).executeTakeFirst()

/** Root Empresas. They get messages about the whole installation. */
export async function listRootIds(tx: Database): Promise<number[]> {
  const rows = await tx
    .selectFrom('empresas')
    .select('id')
    .where('empresa_pai_id', 'is', null)
    .where('removida_em', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
