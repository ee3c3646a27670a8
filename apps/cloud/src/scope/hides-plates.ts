import type { Database } from '../db/open.ts'
import type { Login } from '../http/caller.ts'

/**
 * Whether a login of this role sees no plates of vehicles in these Empresas. A `usuario` never sees them. A `vigilante`
 * sees them if each of the Empresas shows them; the Empresas above do not count.
 */
export async function hidesPlates(db: Database, papel: Login['papel'], escopo: Login['escopo']): Promise<boolean> {
  if (papel !== 'vigilante' || escopo === 'tudo' || escopo.size === 0) return papel !== 'administrador'
  const { n } = await db
    .selectFrom('empresas')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('id', 'in', [...escopo])
    .where('esconder_placas_vigilante', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(n) < escopo.size
}
