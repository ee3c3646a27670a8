import type { Efeito } from '@vigia/contracts/efeitos'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { type Autor, auditChange } from '../../../audit/audit-change.ts'
import { unpackAlcance } from '../../../db/alcance.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { notFound } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { findClient, markClientUsed } from './clients-store.ts'
import { insertAuthorization, insertCode } from './grants-store.ts'
import { lifetimes } from './lifetimes.ts'

/** An authorization request with a valid client and redirect URI. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  /** S256. */
  readonly codeChallenge: string
  readonly state: string
  readonly escopo: EscopoOauth
  /** URL of the MCP resource. */
  readonly recurso: string
}

/** The part of the rights of the login that the person gave. */
interface Given {
  readonly efeitos: readonly Efeito[]
  /** As stored; null: the reach of the login. */
  readonly alcance: string | null
}

/**
 * Stores the authorization of a client and returns its code (60 s, one use). Runs in the transaction that verified the
 * login.
 * @param autor the login, with the canal of its request
 * @param given default: no effect, and the reach of the login
 * @throws VigiaError `nao_encontrado` when the client has expired meanwhile, `conflito` when the Empresa has reached
 * its limit of agents
 */
export async function issueCode(
  { tx, clock }: { readonly tx: Database; readonly clock: Clock },
  autor: Autor & { readonly usuarioId: number; readonly empresaId: number | null },
  request: AuthorizationRequest,
  { efeitos, alcance }: Given = { efeitos: [], alcance: null },
): Promise<string> {
  const code = newToken()
  const now = clock.now()
  if (autor.empresaId !== null) await requireFreeSlot(tx, autor.empresaId, now)
  const client = await findClient(tx, request.clientId, now)
  if (!client) throw notFound('Este programa não está mais registrado. Comece de novo a partir dele.')
  await markClientUsed(tx, client.id, now)
  const id = await insertAuthorization(tx, {
    cliente_id: client.id,
    usuario_id: autor.usuarioId,
    escopo: request.escopo,
    efeitos_json: JSON.stringify(efeitos),
    alcance,
    recurso: request.recurso,
    criada_em: now,
    usada_em: null,
    expira_em: now + lifetimes.authorization,
    revogada_em: null,
  })
  await insertCode(tx, {
    codigo_hash: tokenHash(code) ?? '',
    autorizacao_id: id,
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    expira_em: now + lifetimes.code,
    usado_em: null,
  })
  await auditChange(tx, now, autor, {
    acao: 'autorizar',
    objeto: 'autorizacao_oauth',
    id,
    nome: client.nome,
    empresaId: autor.empresaId,
    antes: null,
    depois: {
      client_id: client.client_id,
      escopo: request.escopo,
      efeitos,
      alcance: alcance === null ? 'login' : unpackAlcance(alcance, 'usuario'),
      redirect_uri: request.redirectUri,
    },
  })
  return code
}

async function requireFreeSlot(tx: Database, empresaId: number, now: number): Promise<void> {
  const lineage = await lockLineage(tx, empresaId)
  const quem = { escopo: new Set([empresaId]) }
  if (lineage) await requireQuota(tx, lineage, { tipo: 'agentes', quantos: 1, quem, now })
}
