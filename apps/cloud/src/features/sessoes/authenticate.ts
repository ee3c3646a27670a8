import { tokenHash } from '../../adapters/bearer-token.ts'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Authenticate } from '../../http/access.ts'
import { scopeOf } from '../../scope/scope-of.ts'
import { mustEnrol } from '../segundo-fator/requirement.ts'
import { findSessionUser } from './store.ts'

interface AuthenticateDeps {
  readonly db: Database
  readonly clock: Clock
  /** With a neutral domain, a session is valid only on the host that issued it; null: on any host. */
  readonly dominioNeutro: string | null
}

/** Returns the login of a session token with its current scope. */
export const createAuthenticate =
  ({ db, clock, dominioNeutro }: AuthenticateDeps): Authenticate =>
  async (token, host) => {
    const hash = tokenHash(token)
    const session = hash === null ? undefined : await findSessionUser(db, hash, clock.now())
    if (!session) return null
    if (dominioNeutro !== null && host !== null && session.host !== host) return null
    const { id, username, papel, empresa_id: empresaId } = session
    const faltaSegundoFator = await mustEnrol(db, session)
    return {
      usuarioId: id,
      username,
      papel,
      empresaId,
      escopo: await scopeOf(db, papel, empresaId),
      ...(faltaSegundoFator && { faltaSegundoFator }),
    }
  }
