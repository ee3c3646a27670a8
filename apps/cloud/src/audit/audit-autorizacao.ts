import { efeitosOf } from '../db/autorizacoes.ts'
import type { Database } from '../db/open.ts'
import { type Autor, auditChange } from './audit-change.ts'

/** Reason why an authorization ended without a call that revokes it. */
export type Motivo =
  | 'O código foi apresentado duas vezes.'
  | 'O código foi apresentado com dados errados.'
  | 'O token de renovação foi usado duas vezes.'
  | 'O próprio agente encerrou o acesso.'
  | 'A senha do login mudou.'
  | 'O login foi desativado.'
  | 'O login foi removido.'
  | 'O endereço da Empresa mudou.'

interface AuditedAutorizacao {
  readonly id: number
  readonly nome: string | null
  readonly client_id: string
  readonly username: string
  readonly escopo: string
  readonly efeitos_json: string
  readonly empresa_id: number | null
}

/** Writes the revocation of an authorization to the audit log. */
export const auditRevogacao = (
  tx: Database,
  now: number,
  autor: Autor,
  row: AuditedAutorizacao,
  motivo: Motivo | null,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao: 'revogar',
    objeto: 'autorizacao_oauth',
    id: row.id,
    nome: row.nome,
    empresaId: row.empresa_id,
    antes: {
      client_id: row.client_id,
      username: row.username,
      escopo: row.escopo,
      efeitos: [...efeitosOf(row)],
    },
    depois: motivo && { motivo },
  })
