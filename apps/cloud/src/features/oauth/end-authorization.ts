import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { recordChange } from '../auditoria/record-change.ts'
import { revokeAuthorization } from '../autorizacoes/store.ts'
import { programAuthor } from './client-label.ts'
import type { From } from './deps.ts'
import type { AuthorizationRow } from './grants-store.ts'

/** Why an authorization ended without a person's doing, for the record. */
type Motivo =
  | 'O código foi apresentado duas vezes.'
  | 'O código foi apresentado com dados errados.'
  | 'O token de renovação foi usado duas vezes.'
  | 'O próprio agente encerrou o acesso.'

/** Revokes an authorization and everything that came of it; once, however often it is called. */
export async function endAuthorization(
  { trx, now, log }: { readonly trx: Database; readonly now: number; readonly log: Logger },
  row: AuthorizationRow,
  motivo: Motivo,
  from: From,
): Promise<void> {
  if (!(await revokeAuthorization(trx, row.id, now))) return
  await recordChange(trx, now, programAuthor(row, from), {
    acao: 'revogar',
    objeto: 'autorizacao_oauth',
    id: row.id,
    nome: row.nome,
    empresaId: row.empresa_id,
    antes: { client_id: row.client_id, username: row.username, escopo: row.escopo },
    depois: { motivo },
  })
  const fields = { autorizacao_id: row.id, client_id: row.client_id, ...from }
  if (motivo === 'O próprio agente encerrou o acesso.') log.info(fields, 'oauth: authorization ended by its client')
  else log.warn({ ...fields, motivo }, 'oauth: authorization revoked, its code or token is in other hands')
}
