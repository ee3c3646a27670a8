import { lockEmpresa } from './locks.ts'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'
import type { EmpresaRow } from './rows.ts'

/**
 * Maximum depth of a tree, equal to its maximum number of Empresas. Also ends the recursion when corrupt data forms a
 * cycle.
 */
const DEPTH_MAX = 10_000

/** Query for the Empresa `id` (`nivel` 0), its parent (1), and so on to the root. */
export const lineageOf = (db: Database, id: number) =>
  db.withRecursive('acima(id, empresa_pai_id, nivel)', (qb) =>
    qb
      .selectFrom('empresas')
      .select((eb) => ['id', 'empresa_pai_id', eb.lit(0).as('nivel')])
      .where('id', '=', id)
      .unionAll(
        qb
          .selectFrom('empresas')
          .innerJoin('acima', 'acima.empresa_pai_id', 'empresas.id')
          .select((eb) => ['empresas.id', 'empresas.empresa_pai_id', eb('acima.nivel', '+', 1).as('nivel')])
          .where('acima.nivel', '<', DEPTH_MAX),
      ),
  )

/** Returns an Empresa and its ancestors, from the Empresa to the root. */
export const listLineage = (db: Database, id: number): Promise<EmpresaRow[]> =>
  lineageOf(db, id)
    .selectFrom('empresas')
    .innerJoin('acima', 'acima.id', 'empresas.id')
    .selectAll('empresas')
    .orderBy('acima.nivel')
    .execute()

/** Ids of an Empresa and its ancestors, from the Empresa to the root. */
export async function listLineageIds(db: Database, id: number): Promise<number[]> {
  const rows = await lineageOf(db, id).selectFrom('acima').select('acima.id').orderBy('acima.nivel').execute()
  return rows.map((row) => row.id)
}

/** A lineage whose limits and counts do not change until the transaction ends. */
export interface LockedLineage {
  readonly empresa: EmpresaRow
  readonly chain: readonly EmpresaRow[]
}

/**
 * Locks the root of the Empresa's tree, then the Empresa. This serializes counts and changes of limits in one tree,
 * across processes. The Empresas between need no lock, because an Empresa never changes its parent. Locking the root
 * first also prevents deadlocks. On SQLite the transaction has the write lock from its begin on.
 * @returns undefined: the Empresa does not exist
 */
export async function lockLineage(tx: Database, id: number): Promise<LockedLineage | undefined> {
  const lineage = lineageOf(tx, id)
  const root = lineage.selectFrom('acima').select('acima.id').where('acima.empresa_pai_id', 'is', null)
  if (isPostgres(tx))
    await lineage.selectFrom('empresas').select('id').where('id', 'in', root).forNoKeyUpdate().execute()
  const empresa = await lockEmpresa(tx, id)
  return empresa && { empresa, chain: await listLineage(tx, id) }
}
