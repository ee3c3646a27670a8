import type { TipoLimite } from '@vigia/contracts/limites'
import type { AliasableExpression } from 'kysely'
import type { Database } from '../../db/open.ts'
import { selectStandingAgents } from '../autorizacoes/store.ts'
import { lockEmpresa } from '../cameras/store.ts'
import type { EmpresaRow } from '../empresas/store.ts'

/** What counts against each limit: one row with its Empresa for each thing. Rows without an Empresa count nowhere. */
const counted: Readonly<Record<TipoLimite, (db: Database, now: number) => Counted>> = {
  cameras: (db) => db.selectFrom('cameras').select('empresa_id'),
  gravadores: (db) => db.selectFrom('gravadores').select('empresa_id'),
  edges: (db) => db.selectFrom('edges').select('empresa_id'),
  usuarios: (db) => db.selectFrom('usuarios').select('empresa_id'),
  canais: (db) => db.selectFrom('canais_notificacao').select('empresa_id'),
  chaves: (db) => db.selectFrom('chaves').select('empresa_id'),
  agentes: (db, now) => selectStandingAgents(db, now).select('u.empresa_id'),
}
type Counted = AliasableExpression<{ empresa_id: number | null }>

/** Greatest depth of a tree, as it holds no more Empresas. Ends the recursion also where corrupt data forms a cycle. */
const DEPTH_MAX = 10_000

/** The Empresa `id` (`nivel` 0), the one above it (1), and so on up to the root. */
const lineageOf = (db: Database, id: number) =>
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
export async function lockLineage(trx: Database, id: number): Promise<LockedLineage | undefined> {
  await lineageOf(trx, id)
    .updateTable('empresas')
    .set((eb) => ({ id: eb.ref('empresas.id') }))
    .where('id', 'in', (qb) => qb.selectFrom('acima').select('acima.id').where('acima.empresa_pai_id', 'is', null))
    .execute()
  const empresa = await lockEmpresa(trx, id)
  return empresa && { empresa, chain: await listLineage(trx, id) }
}

/**
 * How many things of a kind the subtree of each Empresa of the chain has, in the order of the chain. Every Empresa of the tree
 * is counted once, for the lowest Empresa of the chain above it; the sums are made from those.
 */
export async function countAlong(
  db: Database,
  chain: readonly EmpresaRow[],
  tipo: TipoLimite,
  now: number,
): Promise<number[]> {
  const rows = await lineageOf(db, chain[0]?.id ?? 0)
    .withRecursive('arvore(id, nivel)', (qb) =>
      qb
        .selectFrom('acima')
        .select(['acima.id', 'acima.nivel'])
        .where('acima.empresa_pai_id', 'is', null)
        .unionAll(
          qb
            .selectFrom('arvore')
            .innerJoin('empresas', 'empresas.empresa_pai_id', 'arvore.id')
            .leftJoin('acima', 'acima.id', 'empresas.id')
            .select((eb) => ['empresas.id', eb.fn.coalesce('acima.nivel', 'arvore.nivel').as('nivel')]),
        ),
    )
    .selectFrom('arvore')
    .innerJoin(counted[tipo](db, now).as('contado'), 'contado.empresa_id', 'arvore.id')
    .select(({ fn }) => ['arvore.nivel', fn.countAll<number>().as('n')])
    .groupBy('arvore.nivel')
    .execute()
  const own = new Map(rows.map(({ nivel, n }) => [Number(nivel), Number(n)]))
  let sum = 0
  return chain.map((_empresa, nivel) => {
    sum += own.get(nivel) ?? 0
    return sum
  })
}

/** How many things of a kind each Empresa has itself. @param ids null: of every Empresa. */
export async function countEach(
  db: Database,
  ids: readonly number[] | null,
  tipo: TipoLimite,
  now: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom(counted[tipo](db, now).as('contado'))
    .select(({ fn }) => ['contado.empresa_id', fn.countAll<number>().as('n')])
    .where('contado.empresa_id', 'is not', null)
    .$if(ids !== null, (qb) => qb.where('contado.empresa_id', 'in', ids ?? []))
    .groupBy('contado.empresa_id')
    .$narrowType<{ empresa_id: number }>()
    .execute()
  return new Map(rows.map(({ empresa_id, n }) => [empresa_id, Number(n)]))
}
