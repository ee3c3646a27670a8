import type { Database } from '../db/open.ts'
import type { Login } from '../http/caller.ts'

/**
 * The Empresas whose plates of vehicles a login of this role does not see. A `usuario` sees none. For a `vigilante`
 * each Empresa of its scope decides, without the Empresas above.
 */
export async function hiddenPlates(
  db: Database,
  papel: Login['papel'],
  escopo: Login['escopo'],
): Promise<Login['placasOcultas']> {
  if (papel === 'administrador') return new Set()
  if (papel === 'usuario' || escopo === 'tudo' || escopo.size === 0) return 'tudo'
  const shown = await db
    .selectFrom('empresas')
    .select('id')
    .where('id', 'in', [...escopo])
    .where('esconder_placas_vigilante', '=', 0)
    .execute()
  const ids = new Set(shown.map(({ id }) => id))
  return ids.size === 0 ? 'tudo' : new Set([...escopo].filter((id) => !ids.has(id)))
}
