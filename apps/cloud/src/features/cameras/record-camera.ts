import { recordingOf } from '../auditoria/record-change.ts'
import type { CameraRow } from './store.ts'
import { cameraFields } from './view-camera.ts'

/** Writes a change of a camera into the audit log. */
export const recordCamera = recordingOf('camera', (row: CameraRow) => ({
  id: row.id,
  nome: row.nome,
  empresaId: row.empresa_id,
  campos: cameraFields(row),
}))
