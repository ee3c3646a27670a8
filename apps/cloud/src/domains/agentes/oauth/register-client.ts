import { randomUUID } from 'node:crypto'
import type { ClienteRegistrado, RegistroCliente } from '@vigia/contracts/oauth'
import { networkOf } from '../../../adapters/rate-limits/network.ts'
import { lockName } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import {
  type ClientRow,
  countClients,
  deleteExpiredClients,
  deleteOldestUnused,
  insertClient,
} from './clients-store.ts'
import type { From, OauthDeps } from './deps.ts'
import { deleteDeadGrants } from './grants-store.ts'
import { acceptableRedirect } from './redirect-uri.ts'
import type { OauthRefusal } from './refusals.ts'

/** Far more than real agents. Above the limit, the oldest unused client is deleted. */
export const MOST_CLIENTS = 10_000

/**
 * Registers a program as a public client (RFC 7591). Needs no login, because a client has no rights before a person
 * consents. Only the consent is audited: unauthenticated requests must not fill a log that is never pruned. The answer
 * replaces unsupported values by the supported ones (section 3.2.1).
 * @throws VigiaError `muitas_requisicoes`
 */
export async function registerClient(
  { db, clock, registrationLimit }: OauthDeps,
  { redirect_uris, client_name }: RegistroCliente,
  from: From,
): Promise<ClienteRegistrado | OauthRefusal> {
  await registrationLimit.consume(networkOf(from.endereco))
  if (!redirect_uris.every(acceptableRedirect)) return { recusa: 'invalid_redirect_uri' }
  const now = clock.now()
  const client_id = randomUUID()
  const nome = client_name ?? null
  const redirect_uris_json = JSON.stringify(redirect_uris)
  await transact(db, (tx) => addClient(tx, { client_id, nome, redirect_uris_json, criado_em: now, lido_em: null }))
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

/** Adds a program that was never used. Needs a transaction. */
export async function addClient(
  tx: Database,
  client: Omit<Parameters<typeof insertClient>[1], 'usado_em'>,
): Promise<ClientRow> {
  await lockName(tx, 'clientes_oauth')
  await deleteDeadGrants(tx, client.criado_em)
  await deleteExpiredClients(tx, client.criado_em)
  if ((await countClients(tx)) >= MOST_CLIENTS) await deleteOldestUnused(tx)
  return insertClient(tx, { ...client, usado_em: null })
}
