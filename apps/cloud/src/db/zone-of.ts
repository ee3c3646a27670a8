import type { Database } from './open.ts'

/** Time zone of an Empresa; undefined: there is none. */
export async function zoneOf(db: Database, empresaId: number): Promise<string | undefined> {
  const row = await db.selectFrom('empresas').select('fuso_horario').where('id', '=', empresaId).executeTakeFirst()
  return row?.fuso_horario
}
