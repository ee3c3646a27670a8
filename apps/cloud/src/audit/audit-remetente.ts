import type { RemetenteRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a change or a test of sender settings to the audit log of the installation, without passwords and tokens. */
export const auditRemetente = auditOf('remetente', ({ id, tipo, valores_json }: RemetenteRow) => ({
  id,
  nome: tipo,
  empresaId: null,
  campos: valores_json === null ? {} : JSON.parse(valores_json),
}))
