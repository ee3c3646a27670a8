import type { CameraRow } from '../features/cameras/store.ts'
import { cameraFields } from '../features/cameras/view-camera.ts'
import { recordingOf } from './audit-change.ts'

/** Writes a change of a camera into the audit log. */
export const recordCamera = recordingOf('camera', (row: CameraRow) => ({
  id: row.id,
  nome: row.nome,
  empresaId: row.empresa_id,
  campos: cameraFields(row),
}))
