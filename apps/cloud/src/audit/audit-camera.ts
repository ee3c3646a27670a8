import { cameraFields } from '../db/camera-fields.ts'
import type { CameraRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a change of a camera to the audit log. */
export const auditCamera = auditOf('camera', (row: CameraRow) => ({
  id: row.id,
  nome: row.nome,
  empresaId: row.empresa_id,
  campos: cameraFields(row),
}))
