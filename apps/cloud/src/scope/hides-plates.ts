import type { Database } from '../db/open.ts'
import type { Login } from '../http/caller.ts'

/**
 * Whether a login of this role sees no plates of vehicles. A `usuario` never sees them. For a `vigilante` its own
 * Empresa decides, without the Empresas above.
 */
export async function hidesPlates(db: Database, papel: Login['papel'], empresaId: number | null): Promise<boolean> {
  if (papel !== 'vigilante' || empresaId === null) return papel !== 'administrador'
  const empresa = await db
    .selectFrom('empresas')
    .select('esconder_placas_vigilante')
    .where('id', '=', empresaId)
    .executeTakeFirst()
  return empresa?.esconder_placas_vigilante !== 0
}
