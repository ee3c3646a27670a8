import type { ProvaRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a walk test to the audit log, as a test of its camera. */
export const auditProva = auditOf('camera', (row: ProvaRow) => ({
  id: row.camera_id,
  nome: row.camera_nome,
  empresaId: row.empresa_id,
  campos: { prova: row.id, aprovada: row.aprovada === 1, alcance: row.alcance, desfecho: row.desfecho, nota: row.nota },
}))
