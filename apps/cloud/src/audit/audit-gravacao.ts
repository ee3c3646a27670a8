import type { GravacaoRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes the request or the removal of a recording to the audit log. */
export const auditGravacao = auditOf('gravacao', (row: GravacaoRow) => ({
  id: row.id,
  nome: row.camera_nome,
  empresaId: row.empresa_id,
  campos: {
    camera_id: row.camera_id,
    inicio: new Date(row.inicio).toISOString(),
    fim: new Date(row.fim).toISOString(),
  },
}))
