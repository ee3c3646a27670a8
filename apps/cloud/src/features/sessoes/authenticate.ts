import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Authenticate } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { subtreeIds } from '../empresas/store.ts'
import { findSessionUser } from './store.ts'
import { tokenHash } from './tokens.ts'

/** Session token → caller, with the scope as it is at this moment. */
export const createAuthenticate =
  ({ db, clock }: { readonly db: Database; readonly clock: Clock }): Authenticate =>
  async (token) => {
    const hash = tokenHash(token)
    const user = hash === null ? undefined : await findSessionUser(db, hash, clock.now())
    if (!user) return null
    const { id, username, papel, empresa_id: empresaId } = user
    return { usuarioId: id, username, papel, empresaId, escopo: await scopeOf(db, papel, empresaId) }
  }

/** A `usuario` sees its own Empresa alone, and nothing when it has none. */
async function scopeOf(db: Database, papel: Caller['papel'], empresaId: number | null): Promise<Caller['escopo']> {
  if (papel === 'administrador') return empresaId === null ? 'tudo' : subtreeIds(db, empresaId)
  return new Set(empresaId === null ? [] : [empresaId])
}
