import type { Revogacao } from '@vigia/contracts/oauth'
import { tokenHash } from '../../adapters/bearer-token.ts'
import type { From, OauthDeps } from './deps.ts'
import { endAuthorization } from './end-authorization.ts'
import { deleteDeadGrants, findAccess, findRefresh } from './grants-store.ts'
import { mcpResource } from './public-base.ts'

/**
 * Takes back the authorization behind an access or refresh token (RFC 7009): of a refresh token its access tokens have to
 * go too, of an access token its refresh token may (section 2.1), and a client that signs out means all of it. Public: the
 * token is the credential. A token that is unknown, dead or another client's changes nothing, and nobody is told (2.2).
 */
export async function revokeToken(
  { db, clock, keys, log }: OauthDeps,
  form: Revogacao,
  base: string,
  from: From,
): Promise<void> {
  const hash = tokenHash(form.token)
  const claims = hash === null ? await keys.verify(form.token, { issuer: base, audience: mcpResource(base) }) : null
  await db.transaction().execute(async (tx) => {
    const now = clock.now()
    await deleteDeadGrants(tx, now)
    const row = hash === null ? await findAccess(tx, String(claims?.jti ?? ''), now) : await findRefresh(tx, hash)
    if (row?.client_id !== form.client_id) return
    await endAuthorization({ tx, now, log }, row, 'O próprio agente encerrou o acesso.', from)
  })
}
