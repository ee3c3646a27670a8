import { createHash, timingSafeEqual } from 'node:crypto'
import { VigiaError } from '@vigia/contracts/errors'
import type { EscopoOauth, TokensOauth, TrocaToken } from '@vigia/contracts/oauth'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import { networkOf } from '../../../adapters/rate-limits/network.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { findClient } from './clients-store.ts'
import type { From, OauthDeps } from './deps.ts'
import { endAuthorization } from './end-authorization.ts'
import { type Granted, grantTokens, tokenAnswer } from './grant-tokens.ts'
import {
  type AuthorizationRow,
  burnCode,
  burnRefresh,
  deleteDeadGrants,
  isAlive,
  latestRefreshes,
  takeCode,
  takeRefresh,
} from './grants-store.ts'
import { lifetimes } from './lifetimes.ts'
import { mcpResource, sameResource } from './public-base.ts'
import type { OauthRefusal } from './refusals.ts'

/** Maximum refresh tokens of one authorization within an hour. */
const RENEWALS = 120
const HOUR = 3_600_000

interface Presented {
  readonly form: TrocaToken
  readonly from: From
  /** Issuer of the requested endpoint. */
  readonly base: string
}

/**
 * Exchanges a code or a refresh token for tokens (RFC 6749 sections 4.1.3 and 6, RFC 7636). Needs no login: the code or
 * the token is the credential. Decides in one transaction that locks the authorization: of concurrent requests
 * with one code one succeeds.
 * @throws VigiaError `muitas_requisicoes` after too many failures of a network, which does not affect valid requests;
 * or after too many renewals of one authorization
 */
export async function exchangeGrant(deps: OauthDeps, presented: Presented): Promise<TokensOauth | OauthRefusal> {
  const { grant_type } = presented.form
  const decide = grant_type === 'authorization_code' ? redeemCode : grant_type === 'refresh_token' ? renew : null
  if (!decide) return { recusa: 'unsupported_grant_type' }
  const sign = await deps.keys.signer()
  const granted = await transact(deps.db, async (tx) => {
    await deleteDeadGrants(tx, deps.clock.now())
    return decide(deps, tx, presented)
  })
  if ('recusa' in granted) {
    await deps.grantLimit.consume(networkOf(presented.from.endereco))
    return granted
  }
  return tokenAnswer(granted, await sign(granted.claims))
}

/**
 * Every use invalidates the code. A use with wrong data also revokes the authorization, because a code without its
 * verifier is probably stolen. A second use revokes the tokens of the first (RFC 6749 section 4.1.2).
 */
async function redeemCode(
  { clock, log }: OauthDeps,
  tx: Database,
  { form, from, base }: Presented,
): Promise<Granted | OauthRefusal> {
  const now = clock.now()
  const hash = tokenHash(form.code ?? '')
  const row = hash === null ? undefined : await takeCode(tx, hash)
  const refused = await refusalOfClient(tx, now, form, base)
  const fits =
    row !== undefined &&
    refused === null &&
    row.uso === null &&
    row.fim > now &&
    row.client_id === form.client_id &&
    row.redirect_uri === form.redirect_uri &&
    row.recurso === mcpResource(base) &&
    verifies(form.code_verifier ?? '', row.code_challenge) &&
    isAlive(row, now)
  if (row && hash !== null) await burnCode(tx, hash, row.uso ?? now)
  if (row && fits) return grantTokens(tx, now, row, row.escopo as EscopoOauth, base)
  if (row) {
    const motivo =
      row.uso === null ? 'O código foi apresentado com dados errados.' : 'O código foi apresentado duas vezes.'
    await endAuthorization({ tx, now, log }, row, motivo, from)
  }
  return refused ?? { recusa: 'invalid_grant' }
}

/**
 * A refresh token is valid for one use. Within a grace it gives one more successor: the first answer may be lost, or
 * the program renews in two processes. Further uses within the grace are refused. A use after the grace reveals a
 * stolen token and revokes the authorization (RFC 9700 section 4.14.2).
 */
async function renew(
  { clock, log }: OauthDeps,
  tx: Database,
  { form, from, base }: Presented,
): Promise<Granted | OauthRefusal> {
  const now = clock.now()
  const hash = tokenHash(form.refresh_token ?? '')
  const row = hash === null ? undefined : await takeRefresh(tx, hash)
  const isAgain = row !== undefined && row.uso !== null
  const isGrace = isAgain && now - (row.uso ?? 0) <= lifetimes.refreshAgain
  if (isAgain && !isGrace)
    await endAuthorization({ tx, now, log }, row, 'O token de renovação foi usado duas vezes.', from)
  const refused = await refusalOfClient(tx, now, form, base)
  if (refused) return refused
  const isUsable = row !== undefined && (!isAgain || (isGrace && row.repeticao === null))
  if (!isUsable || hash === null || row.fim <= now || !isAlive(row, now)) return { recusa: 'invalid_grant' }
  if (row.client_id !== form.client_id || row.recurso !== mcpResource(base)) return { recusa: 'invalid_grant' }
  const escopo = narrowed(row, form.scope)
  if (escopo === null) return { recusa: 'invalid_scope' }
  await requireRate(tx, now, row)
  await burnRefresh(tx, hash, isAgain ? { repetida_em: now } : { usada_em: now })
  return grantTokens(tx, now, row, escopo, base)
}

/**
 * Used refresh tokens stay stored until their end, to detect a second use. So a client in a loop would fill the disk. A
 * client needs one renewal per hour. @throws VigiaError `muitas_requisicoes`; the token stays valid
 */
async function requireRate(tx: Database, now: number, { id }: AuthorizationRow): Promise<void> {
  const latest = await latestRefreshes(tx, id, RENEWALS)
  const oldest = latest[RENEWALS - 1]
  if (oldest === undefined || oldest <= now - HOUR) return
  throw new VigiaError('muitas_requisicoes', {
    detalhe: 'Este agente renova o acesso vezes demais. Use o token de acesso até que ele vença.',
    tentarEmS: (oldest + HOUR - now) / 1000,
  })
}

/** Errors of client and resource, which reveal nothing about the code or token. */
async function refusalOfClient(
  tx: Database,
  now: number,
  form: TrocaToken,
  base: string,
): Promise<OauthRefusal | null> {
  if (!(await findClient(tx, form.client_id ?? '', now))) return { recusa: 'invalid_client' }
  if (form.resource && !sameResource(form.resource, mcpResource(base))) return { recusa: 'invalid_target' }
  return null
}

/** RFC 7636 section 4.6. */
function verifies(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const computed = createHash('sha256').update(verifier).digest()
  const expected = Buffer.from(challenge, 'base64url')
  return expected.length === computed.length && timingSafeEqual(expected, computed)
}

/**
 * The scope of the next access token, at most the authorized one; null: the request asks for more. Unknown scopes are
 * ignored.
 */
function narrowed({ escopo }: AuthorizationRow, asked: string | undefined): EscopoOauth | null {
  const names = (asked ?? '').split(' ')
  if (names.includes('mcp')) return escopo === 'mcp' ? 'mcp' : null
  return names.includes('mcp:leitura') ? 'mcp:leitura' : (escopo as EscopoOauth)
}
