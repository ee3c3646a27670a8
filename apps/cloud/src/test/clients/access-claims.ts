import type { AccessClaims } from '../../domains/agentes/oauth/signing-keys.ts'

export const ISSUER = 'https://vigia.exemplo.br'
export const AUDIENCE = `${ISSUER}/mcp`

/** Claims of an access token that is issued at `now` (epoch ms), for an hour. */
export function accessClaims(now: number, change: Partial<AccessClaims> = {}): AccessClaims {
  const iat = Math.floor(now / 1000)
  return {
    iss: ISSUER,
    sub: '1',
    aud: AUDIENCE,
    client_id: 'cliente',
    scope: 'mcp',
    papel: 'administrador',
    empresa_id: null,
    iat,
    exp: iat + 3600,
    jti: 'um',
    ...change,
  }
}
