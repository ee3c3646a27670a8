import { SESSAO_S } from '@vigia/contracts/sessoes'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import type { Database } from '../../../db/open.ts'
import { insertSession } from './store.ts'

/** Origin of a sign-in, kept with its session. */
export interface SessionOrigin {
  readonly address: string
  /** Lower case, without a port: the session is bound to it. */
  readonly host: string
  /** Header `user-agent`. */
  readonly agente: string | undefined
}

interface SessionInput {
  readonly dono: { readonly usuario_id: number } | { readonly usuario_id: null; readonly quiosque_id: number }
  readonly origin: SessionOrigin
  /** Latest end of the session, with renewals. */
  readonly renovaAte: number
}

/** Longest stored user agent, characters. */
const AGENTE_MAX = 200

/**
 * Stores a session in the caller's transaction, and returns its first token. For a login, the transaction holds the
 * lock on the login's row (db/locks.ts), so that a change of its password ends the session.
 */
export async function beginSession(
  tx: Database,
  now: number,
  { dono, origin, renovaAte }: SessionInput,
): Promise<string> {
  const token = newToken()
  const expira_em = 'quiosque_id' in dono ? renovaAte : Math.min(now + SESSAO_S * 1000, renovaAte)
  const session = {
    ...dono,
    host: origin.host,
    iniciada_em: now,
    renova_ate: renovaAte,
    agente: origin.agente?.replace(/[^\x20-\x7e]/g, '').slice(0, AGENTE_MAX) ?? null,
    endereco: origin.address,
  }
  await insertSession(tx, session, { token_hash: tokenHash(token) ?? '', expira_em }, now)
  return token
}
