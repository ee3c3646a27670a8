import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import type { Link } from '../tool.ts'

/** What is needed to choose a camera, or to see that a change was taken: a list of whole ones would fill an agent's context. */
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

/** The fields of the summary, and no other. */
export const resumeCamera = (camera: Camera) => cameraResumoSchema.parse(camera)

/** Its name is not in it: a person wrote that, and a link is read as our own words. */
export const cameraLink = (id: number): Link => ({ uri: `vigia://camera/${id}`, nome: `Câmera ${id}` })
