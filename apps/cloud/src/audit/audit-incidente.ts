import type { IncidenteRow } from '../db/incidentes.ts'
import { auditOf } from './audit-change.ts'

/** Writes an answer to an incidente to the audit log. */
export const auditIncidente = auditOf('incidente', (row: IncidenteRow) => ({
  id: row.id,
  nome: row.camera_nome,
  empresaId: row.empresa_id,
  campos: { resposta: row.resposta, nota: row.nota, assumido_por: row.assumido_por },
}))
