import type { Revogacao } from '@vigia/contracts/oauth'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import { transact } from '../../../db/transaction.ts'
import type { From, OauthDeps } from './deps.ts'
import { endAuthorization } from './end-authorization.ts'
import { deleteDeadGrants, findAccess, findRefresh } from './grants-store.ts'
import { mcpResource } from './public-base.ts'

/**
 * Revokes the authorization of an access or refresh token with all its tokens, as RFC 7009 section 2.1 requires or
 * allows. Needs no login: the token is the credential. An unknown or expired token, or one of another client, changes
 * nothing and gives the same answer (section 2.2).
 */
export async function revokeToken(
  { db, clock, keys, log }: OauthDeps,
  form: Revogacao,
  base: string,
  from: From,
): Promise<void> {
  const hash = tokenHash(form.token)
  const claims = hash === null ? await keys.verify(form.token, { issuer: base, audience: mcpResource(base) }) : null
  await transact(db, async (tx) => {
    const now = clock.now()
    await deleteDeadGrants(tx, now)
    const row = hash === null ? await findAccess(tx, String(claims?.jti ?? ''), now) : await findRefresh(tx, hash)
    if (row?.client_id !== form.client_id) return
    await endAuthorization({ tx, now, log }, row, 'O próprio agente encerrou o acesso.', from)
  })
}
