import { randomUUID } from 'node:crypto'
import type { ClienteRegistrado, RegistroCliente } from '@vigia/contracts/oauth'
import { networkOf } from '../../adapters/rate-limits/network.ts'
import { countClients, deleteExpiredClients, deleteOldestUnused, insertClient } from './clients-store.ts'
import type { From, OauthDeps } from './deps.ts'
import { deleteDeadGrants } from './grants-store.ts'
import { registrableRedirect } from './redirect-uri.ts'
import type { OauthRefusal } from './refusals.ts'

/** Nobody installs that many agents: beyond it, whoever registered first and was never used makes room. */
const MOST_CLIENTS = 10_000

/**
 * Registers a program as a public client (RFC 7591). Public: it is how a program comes to be known, and it may do nothing
 * before a person has allowed it to, which is what the audit log records: a log that is never pruned must not grow at the
 * wish of whoever comes by. What it asks for beyond that is answered with what it gets (section 3.2.1).
 * @throws VigiaError `muitas_requisicoes`
 */
export async function registerClient(
  { db, clock, registrationLimit }: OauthDeps,
  { redirect_uris, client_name }: RegistroCliente,
  from: From,
): Promise<ClienteRegistrado | OauthRefusal> {
  await registrationLimit.consume(networkOf(from.endereco))
  if (!redirect_uris.every(registrableRedirect)) return { recusa: 'invalid_redirect_uri' }
  const now = clock.now()
  const client_id = randomUUID()
  const nome = client_name ?? null
  await db.transaction().execute(async (tx) => {
    await deleteDeadGrants(tx, now)
    await deleteExpiredClients(tx, now)
    if ((await countClients(tx)) >= MOST_CLIENTS) await deleteOldestUnused(tx)
    const redirect_uris_json = JSON.stringify(redirect_uris)
    await insertClient(tx, { client_id, nome, redirect_uris_json, criado_em: now, usado_em: null })
  })
  return {
    client_id,
    client_id_issued_at: Math.floor(now / 1000),
    ...(nome !== null && { client_name: nome }),
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
