import type { QuiosqueRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes the creation or the end of a quiosque to the audit log. */
export const auditQuiosque = auditOf('quiosque', ({ id, nome, empresa_id, papel, expira_em }: QuiosqueRow) => ({
  id,
  nome,
  empresaId: empresa_id,
  campos: { nome, papel, empresa_id, expira_em: new Date(expira_em).toISOString() },
}))
