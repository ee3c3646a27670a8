import type { Camera, Silencio } from '@vigia/contracts/cameras'
import { cameraFields } from '../../../db/camera-fields.ts'
import type { CameraWithEdge } from '../../../db/cameras.ts'
import { viewSilencio } from '../../../db/silencios.ts'
import { cameraStatus, type SeenEdge } from './camera-status.ts'

/** The edge columns of the joined row; null: no edge. */
export const edgeOf = (row: CameraWithEdge): SeenEdge | null =>
  row.edge_presente === null
    ? null
    : {
        presente: row.edge_presente,
        ativado_em: row.edge_ativado_em,
        configuracaoGrande: row.edge_grande_bytes !== null,
      }

/** null: the camera is not silenced at `now`. */
export const silencioOf = ({ silencio_ate: ate, silencio_por: por }: CameraWithEdge, now: number): Silencio | null =>
  viewSilencio(ate === null || por === null ? null : { ate, por_username: por }, now)

/** Returns a camera as the API shows it at `now`. */
export function viewCamera(row: CameraWithEdge, now: number): Camera {
  const fields = cameraFields(row)
  return {
    id: row.id,
    ...fields,
    ias_habilitadas: fields.eventos_habilitados,
    ...cameraStatus(row, edgeOf(row), now),
    ultimo_frame_em: row.ultimo_frame_em === null ? null : new Date(row.ultimo_frame_em).toISOString(),
    codec: row.codec,
    resolucao: row.resolucao,
    fps: row.fps,
    quadro_chave_s: row.quadro_chave_ms === null ? null : row.quadro_chave_ms / 1000,
    sem_quadro_chave_s: row.sem_quadro_chave_ms === null ? null : row.sem_quadro_chave_ms / 1000,
    taxa_kbps: row.taxa_kbps,
    silencio: silencioOf(row, now),
    criada_em: new Date(row.criada_em).toISOString(),
    atualizada_em: new Date(row.atualizada_em).toISOString(),
  }
}
