import type { Sessao } from '@vigia/contracts/sessoes'
import type { Clock } from '../../../adapters/clock.ts'
import { auditSessao } from '../../../audit/audit-sessao.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireLogin } from '../../../http/caller.ts'
import type { LogOutDeps } from './log-out.ts'
import { deleteSessionOf, listSessionsOf } from './store.ts'

const instant = (ms: number): string => new Date(ms).toISOString()

/** Sessions of the caller's login that have not ended. @throws VigiaError `proibido` (quiosque, API key) */
export async function listOwnSessions(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
): Promise<Sessao[]> {
  const rows = await listSessionsOf(db, requireLogin(caller), clock.now())
  return rows.map((row) => ({
    id: row.id,
    atual: row.id === caller.sessao?.id,
    iniciada_em: instant(row.iniciada_em),
    visto_em: instant(row.visto_em),
    expira_em: instant(row.expira_em),
    renova_ate: instant(row.renova_ate),
    host: row.host,
    agente: row.agente,
    endereco: row.endereco,
  }))
}

/**
 * Ends a session of the caller's login, with its open streams, at once.
 * @throws VigiaError `proibido` (quiosque, API key), `nao_encontrado` (also a session of another login)
 */
export async function endOwnSession(
  { db, clock, sessionEnded }: LogOutDeps,
  caller: Caller,
  id: number,
): Promise<void> {
  const usuarioId = requireLogin(caller)
  await transact(db, async (tx) => {
    const row = await deleteSessionOf(tx, id, usuarioId)
    if (!row) throw notFound('Sessão não encontrada.')
    await auditSessao(tx, clock.now(), caller, { id, acao: 'sair', empresaId: caller.empresaId, host: row.host ?? '' })
  })
  sessionEnded()
}
