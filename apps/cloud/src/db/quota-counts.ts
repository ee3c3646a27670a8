import type { TipoLimite } from '@vigia/contracts/limites'
import type { AliasableExpression } from 'kysely'
import { nouns } from '../nouns/nouns.ts'
import { selectStandingAgents } from './autorizacoes.ts'
import { lineageOf } from './lineage.ts'
import type { Database } from './open.ts'
import type { EmpresaRow } from './rows.ts'

/** Tables whose rows a limit counts. */
const tables = new Map(nouns.flatMap(({ quota }) => (quota ? [[quota.tipo, quota.tabela] as const] : [])))

/** Query of the objects of a limit: one row with its Empresa per object. Rows without an Empresa do not count. */
function counted(db: Database, tipo: TipoLimite, now: number): Counted {
  if (tipo === 'agentes') return selectStandingAgents(db, now).select('u.empresa_id')
  const table = tables.get(tipo)
  if (table === undefined) throw new Error(`no noun declares the limit ${tipo}`)
  // Each counted table has this column.
  return db.selectFrom(table as 'cameras').select('empresa_id')
}
type Counted = AliasableExpression<{ empresa_id: number | null }>

/**
 * Counts objects of a kind in the subtree of each Empresa of the chain, in order of the chain. Each Empresa of the tree
 * is counted once, for its nearest ancestor in the chain. The sums derive from these counts.
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
    .innerJoin(counted(db, tipo, now).as('contado'), 'contado.empresa_id', 'arvore.id')
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

/** Counts objects of a kind by Empresa, without descendants. @param ids null: all Empresas. */
export async function countEach(
  db: Database,
  ids: readonly number[] | null,
  tipo: TipoLimite,
  now: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom(counted(db, tipo, now).as('contado'))
    .select(({ fn }) => ['contado.empresa_id', fn.countAll<number>().as('n')])
    .where('contado.empresa_id', 'is not', null)
    .$if(ids !== null, (qb) => qb.where('contado.empresa_id', 'in', ids ?? []))
    .groupBy('contado.empresa_id')
    .$narrowType<{ empresa_id: number }>()
    .execute()
  return new Map(rows.map(({ empresa_id, n }) => [empresa_id, Number(n)]))
}
