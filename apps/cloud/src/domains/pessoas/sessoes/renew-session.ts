import { VigiaError } from '@vigia/contracts/errors'
import { SESSAO_S, TOKEN_ANTERIOR_S, type TokenRenovado } from '@vigia/contracts/sessoes'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import type { Caller } from '../../../http/caller.ts'
import { addToken, lockSession } from './store.ts'

export interface RenewDeps {
  readonly db: Database
  readonly clock: Clock
  readonly renewalLimit: RateLimit
}

/**
 * Exchanges a valid token for a new one of the same session. The lock on the session's row orders it with other
 * renewals, logout and a change of password. Renewals of one token at the same time all succeed, because several tabs
 * send the same cookie. The audit log has the sign-in of the session, not its renewals.
 * @throws VigiaError `nao_autenticado` (the session has ended meanwhile), `muitas_requisicoes`
 */
export async function renewSession(
  { db, clock, renewalLimit }: RenewDeps,
  { sessao, quiosque }: Caller,
  token: string,
): Promise<TokenRenovado> {
  if (!sessao) throw new VigiaError('proibido', { detalhe: 'Só uma sessão pode ser renovada.' })
  await renewalLimit.consume(`sessao:${sessao.id}`)
  const renewed = newToken()
  const now = clock.now()
  const expiraEm = await transact(db, async (tx) => {
    const session = await lockSession(tx, sessao.id, now)
    if (!session || session.renova_ate <= now) throw ended()
    // The screen of a quiosque may be without power for days.
    const expira_em = quiosque ? session.renova_ate : Math.min(now + SESSAO_S * 1000, session.renova_ate)
    const old = { token_hash: tokenHash(token) ?? '', until: now + TOKEN_ANTERIOR_S * 1000 }
    await addToken(tx, session, { token_hash: tokenHash(renewed) ?? '', expira_em }, old)
    return expira_em
  })
  return { access_token: renewed, token_type: 'bearer', expires_in: Math.floor((expiraEm - now) / 1000) }
}

const ended = () =>
  new VigiaError('nao_autenticado', { detalhe: 'Esta sessão acabou. Entre outra vez com usuário e senha.' })
