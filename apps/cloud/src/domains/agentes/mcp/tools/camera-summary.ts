import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import type { Link } from '../tool.ts'

/** Fields to choose a camera or to verify a change. Complete cameras would fill the context of an agent. */
export const cameraResumoSchema = cameraSchema
  .pick({
    id: true,
    nome: true,
    empresa_id: true,
    edge_id: true,
    gravador_id: true,
    canal: true,
    perfil: true,
    eventos_habilitados: true,
    ativa: true,
    status: true,
    status_detalhe: true,
    ultimo_frame_em: true,
  })
  .meta({ id: 'CameraResumo', description: 'O que identifica uma câmera e como ela está.' })

/** Drops all fields outside the summary. */
export const resumeCamera = (camera: Camera) => cameraResumoSchema.parse(camera)

/** The link omits the name of the camera, because that is user input and models trust the text of a link. */
export const cameraLink = (id: number): Link => ({ uri: `vigia://camera/${id}`, nome: `Câmera ${id}` })
