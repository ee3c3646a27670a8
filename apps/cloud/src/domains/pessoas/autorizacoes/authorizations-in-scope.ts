import { type Caller, requireLogin, scopeIds } from '../../../http/caller.ts'
import type { AuthorizationFilter } from './store.ts'

/**
 * Filter of visible authorizations. A `usuario` sees its own agents; an administrador those of all logins in its scope.
 * @param empresas restriction of the scope; default: the whole scope
 */
export const authorizationsInScope = (caller: Caller, empresas = scopeIds(caller)): AuthorizationFilter => ({
  empresas,
  usuarioId: caller.papel === 'administrador' ? null : requireLogin(caller),
})
