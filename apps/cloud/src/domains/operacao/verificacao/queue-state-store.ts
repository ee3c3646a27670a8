import type { Database } from '../../../db/open.ts'

/** Number of unverified events of each Empresa, and the storage time of the oldest. @param empresas null: all */
export async function waitingByEmpresa(db: Database, empresas: readonly number[] | null) {
  const rows = await db
    .selectFrom('trabalhos')
    .select(({ fn }) => ['empresa_id', fn.countAll<number>().as('esperando'), fn.min<number>('criado_em').as('desde')])
    .where('tipo', '=', 'verificacao')
    .where('estado', 'in', ['pronto', 'recuo', 'em_curso'])
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .groupBy('empresa_id')
    .orderBy('empresa_id')
    .execute()
  return rows.map(({ empresa_id, esperando, desde }) => ({ empresa_id, esperando: Number(esperando), desde }))
}
