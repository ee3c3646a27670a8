import { randomUUID } from 'node:crypto'
import { ACESSO_S, type EscopoOauth, type TokensOauth } from '@vigia/contracts/oauth'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import type { Database } from '../../../db/open.ts'
import { markClientUsed } from './clients-store.ts'
import { type AuthorizationRow, insertAccess, insertRefresh, markAuthorizationUsed } from './grants-store.ts'
import { lifetimes } from './lifetimes.ts'
import type { AccessClaims } from './signing-keys.ts'

/** Result of the transaction. The access token is signed after the commit. */
export interface Granted {
  readonly claims: AccessClaims
  readonly refresh: string
  readonly escopo: EscopoOauth
}

/** Stores a new access token and a new refresh token of an authorization. @param issuer base of the installation */
export async function grantTokens(
  tx: Database,
  now: number,
  row: AuthorizationRow,
  escopo: EscopoOauth,
  issuer: string,
): Promise<Granted> {
  const refresh = newToken()
  const iat = Math.floor(now / 1000)
  const claims: AccessClaims = {
    iss: issuer,
    sub: String(row.usuario_id),
    aud: row.recurso,
    client_id: row.client_id,
    scope: escopo,
    papel: escopo === 'mcp' ? row.papel : 'usuario',
    empresa_id: row.empresa_id,
    iat,
    exp: iat + ACESSO_S,
    jti: randomUUID(),
  }
  await insertAccess(tx, { jti: claims.jti, autorizacao_id: row.id, expira_em: claims.exp * 1000 })
  await insertRefresh(tx, {
    token_hash: tokenHash(refresh) ?? '',
    autorizacao_id: row.id,
    criada_em: now,
    expira_em: Math.min(now + lifetimes.refresh, row.expira_em),
    usada_em: null,
    repetida_em: null,
  })
  await markAuthorizationUsed(tx, row.id, now)
  await markClientUsed(tx, row.cliente_id, now)
  return { claims, refresh, escopo }
}

export const tokenAnswer = ({ refresh, escopo }: Granted, access_token: string): TokensOauth => ({
  access_token,
  token_type: 'Bearer',
  expires_in: ACESSO_S,
  scope: escopo,
  refresh_token: refresh,
})
