import { type Caller, requireLogin, scopeIds } from '../../http/caller.ts'
import type { AuthorizationFilter } from './store.ts'

/**
 * A `usuario` sees the agents that it let in itself; an administrator those of every login in its scope.
 * @param empresas to which the scope is narrowed; the whole scope unless given
 */
export const authorizationsInScope = (caller: Caller, empresas = scopeIds(caller)): AuthorizationFilter => ({
  empresas,
  usuarioId: caller.papel === 'administrador' ? null : requireLogin(caller),
})
