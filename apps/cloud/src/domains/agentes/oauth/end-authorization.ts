import { auditRevogacao, type Motivo } from '../../../audit/audit-autorizacao.ts'
import { revokeAuthorization } from '../../../db/autorizacoes.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { programAuthor } from './client-label.ts'
import type { From } from './deps.ts'
import type { AuthorizationRow } from './grants-store.ts'

/** Revokes an authorization with all its tokens. Repeated calls have no further effect. */
export async function endAuthorization(
  { tx, now, log }: { readonly tx: Database; readonly now: number; readonly log: Logger },
  row: AuthorizationRow,
  motivo: Motivo,
  from: From,
): Promise<void> {
  if (!(await revokeAuthorization(tx, row.id, now))) return
  await auditRevogacao(tx, now, programAuthor(row, from), row, motivo)
  const fields = { autorizacao_id: row.id, client_id: row.client_id, ...from }
  if (motivo === 'O próprio agente encerrou o acesso.') log.info(fields, 'oauth: authorization ended by its client')
  else log.warn({ ...fields, motivo }, 'oauth: authorization revoked, its code or token was misused')
}
