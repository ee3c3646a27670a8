import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export const insertEmpresa = (db: Database, values: Insertable<Tables['empresas']>): Promise<EmpresaRow> =>
  db.insertInto('empresas').values(values).returningAll().executeTakeFirstOrThrow()

/** Returns the updated row. @throws a unique violation (db/errors.ts) when the host is taken. */
export const updateEmpresa = (db: Database, id: number, changes: Updateable<Tables['empresas']>): Promise<EmpresaRow> =>
  db.updateTable('empresas').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** Edges with cameras of the Empresa. */
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

export async function hasEdges(db: Database, empresaId: number): Promise<boolean> {
  const edge = await db.selectFrom('edges').select('id').where('empresa_id', '=', empresaId).limit(1).executeTakeFirst()
  return edge !== undefined
}
