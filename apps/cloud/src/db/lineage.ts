import { lockEmpresa } from './locks.ts'
import type { Database } from './open.ts'
import type { EmpresaRow } from './rows.ts'

/** Greatest depth of a tree, as it holds no more Empresas. Ends the recursion also where corrupt data forms a cycle. */
const DEPTH_MAX = 10_000

/** The Empresa `id` (`nivel` 0), the one above it (1), and so on up to the root. */
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

/** An Empresa and all above it: the chain starts with the Empresa itself and ends with the root. */
export const listLineage = (db: Database, id: number): Promise<EmpresaRow[]> =>
  lineageOf(db, id)
    .selectFrom('empresas')
    .innerJoin('acima', 'acima.id', 'empresas.id')
    .selectAll('empresas')
    .orderBy('acima.nivel')
    .execute()

/** A chain of Empresas whose limits and counts stand still until the transaction ends. */
export interface LockedLineage {
  readonly empresa: EmpresaRow
  readonly chain: readonly EmpresaRow[]
}

/**
 * Locks the root of the Empresa's tree, then the Empresa: all that count or change a limit in one tree take turns, in
 * whatever process. The root is enough for the Empresas between, as each tree has one and no Empresa changes its parent;
 * one row that all lock first also excludes deadlocks. First statement of its transaction: SQLite refuses a write after a
 * read where another process has written in between.
 * @returns undefined: there is no such Empresa
 */
export async function lockLineage(tx: Database, id: number): Promise<LockedLineage | undefined> {
  await lineageOf(tx, id)
    .updateTable('empresas')
    .set((eb) => ({ id: eb.ref('empresas.id') }))
    .where('id', 'in', (qb) => qb.selectFrom('acima').select('acima.id').where('acima.empresa_pai_id', 'is', null))
    .execute()
  const empresa = await lockEmpresa(tx, id)
  return empresa && { empresa, chain: await listLineage(tx, id) }
}
