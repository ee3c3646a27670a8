import type { InscricaoRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

interface InscricaoChanged extends InscricaoRow {
  /** Empresa of the login. */
  readonly empresa_id: number | null
}

/** Writes a change of a browser's subscription to the audit log, without the address of the browser. */
export const auditInscricao = auditOf('inscricao_push', (row: InscricaoChanged) => ({
  id: row.id,
  nome: row.nome,
  empresaId: row.empresa_id,
  campos: { nome: row.nome, gravidade_min: row.gravidade_min, servico: row.servico },
}))
