import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'

/** Number of rows about an Empresa or a camera in each table that has any, except the audit log. */
export async function rowsAbout(
  db: Database,
  { empresaId, cameraId }: { readonly empresaId: number; readonly cameraId: number },
): Promise<Record<string, number>> {
  const tables = (await db.introspection.getTables()).filter(({ name }) => name !== 'auditoria')
  const columns = tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name: column }) => (['empresa_id', 'camera_id'].includes(column) ? [{ table, column }] : [])),
  )
  const found: Record<string, number> = {}
  for (const { table, column } of columns) {
    const id = column === 'empresa_id' ? empresaId : cameraId
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db)
    if (rows[0]?.n) found[table] = (found[table] ?? 0) + rows[0].n
  }
  return found
}
