import type { EscopoOauth } from '@vigia/contracts/oauth'
import type { Papel } from '@vigia/contracts/usuarios'
import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { unpackAlcance } from '../../../db/alcance.ts'
import { efeitosOf } from '../../../db/autorizacoes.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { hiddenPlates } from '../../../scope/hidden-plates.ts'
import { isLost, narrower, scopeOf } from '../../../scope/scope-of.ts'
import { mustEnrol } from '../../pessoas/public.ts'
import { clientLabel } from './client-label.ts'
import { findAccess, isAlive, markAuthorizationUsed } from './grants-store.ts'
import { mcpResource } from './public-base.ts'
import type { SigningKeys } from './signing-keys.ts'

/** A program that acts on behalf of a login. */
export interface Agent {
  /** Current rights of the login. With `mcp:leitura` the role is `usuario`; the Empresas stay those of the login. */
  readonly caller: Caller
  /** Role of the login itself, independent of the scope of the agent. */
  readonly papelDoLogin: Papel
  readonly escopo: EscopoOauth
  readonly clientId: string
  readonly autorizacaoId: number
  /** End of this token in epoch ms. */
  readonly expiraEm: number
}

/** Returns the agent of an access token; null: invalid, expired, revoked, or for another resource. */
export type AuthenticateAgent = (
  token: string,
  base: string,
  from: { readonly endereco: string; readonly pedido: string },
) => Promise<Agent | null>

/** Minimum interval between two updates of the last use. A commit for every call would cost more than the call. */
const NOTE_MS = 60_000

interface AuthenticateAgentDeps {
  readonly db: Database
  readonly clock: Clock
  readonly keys: SigningKeys
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

export const createAuthenticateAgent =
  (deps: AuthenticateAgentDeps): AuthenticateAgent =>
  async (token, base, from) => {
    const { db, clock, keys, disk } = deps
    const claims = await keys.verify(token, { issuer: base, audience: mcpResource(base) })
    if (!claims) return null
    const now = clock.now()
    const row = await findAccess(db, String(claims.jti), now)
    if (!row || !isAlive(row, now)) return null
    // The claims were signed together: a modified row must not assign the token to another login or client.
    if (claims.sub !== String(row.usuario_id) || claims.client_id !== row.client_id) return null
    if (row.recurso !== mcpResource(base)) return null
    // Until the login enables its required second factor, its agents are rejected too.
    if (await mustEnrol(db, row)) return null

    const login = { papel: row.papel, empresa_id: row.empresa_id, alcance: row.alcance_login }
    const given = { ...login, alcance: row.alcance ?? row.alcance_login }
    const alcanceDoLogin = await scopeOf(db, login)
    const empresas = row.alcance === null ? alcanceDoLogin : narrower(alcanceDoLogin, await scopeOf(db, given))
    if (isLost(given, empresas) || isLost(login, alcanceDoLogin)) return null

    if ((row.usada_em ?? 0) < now - NOTE_MS) await disk.tolerate(() => markAuthorizationUsed(db, row.id, now))
    const escopo = claims.scope === 'mcp' && row.escopo === 'mcp' ? 'mcp' : 'mcp:leitura'
    const papel = escopo === 'mcp' ? row.papel : 'usuario'
    const caller: Caller = {
      usuarioId: row.usuario_id,
      username: row.username,
      papel,
      empresaId: row.empresa_id,
      alcance: unpackAlcance(given.alcance, row.papel),
      escopo: empresas,
      placasOcultas: await hiddenPlates(db, papel, empresas),
      efeitos: new Set(efeitosOf(row)),
      origem: { canal: 'agente', cliente: clientLabel(row), ...from },
    }
    return {
      caller,
      papelDoLogin: row.papel,
      escopo,
      clientId: row.client_id,
      autorizacaoId: row.id,
      expiraEm: Number(claims.exp) * 1000,
    }
  }
