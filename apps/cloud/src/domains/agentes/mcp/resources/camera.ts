import type { Camera } from '@vigia/contracts/cameras'
import { idTexto } from '@vigia/contracts/values'
import type { Resource } from '../resource.ts'
import { recordId } from './record-id.ts'

/** The name is quoted, because it is user input. */
const title = ({ id, nome }: Pick<Camera, 'id' | 'nome'>): string => `Câmera ${id}: ${JSON.stringify(nome)}`

/** Number of cameras in the list of a client. */
const FIRST = 200

export const cameraResource: Resource = {
  nome: 'camera',
  titulo: 'Câmera',
  descricao:
    'Uma câmera com todos os seus campos: status, IAs, calibração própria, zonas, Agenda. Senhas aparecem como `****`.',
  uri: 'vigia://camera/{id}',
  operacoes: ['listarCameras', 'verCamera'],
  read: async (variaveis, ctx) => {
    const camera = await ctx.json<Camera>('verCamera', { params: { camera_id: recordId(variaveis, idTexto) } })
    return { dados: { titulo: title(camera), camera } }
  },
  list: async (ctx) => {
    const cameras = await ctx.json<Camera[]>('listarCameras')
    return cameras.slice(0, FIRST).map((camera) => ({ uri: `vigia://camera/${camera.id}`, nome: title(camera) }))
  },
  complete: {
    id: async (typed, ctx) => {
      const cameras = await ctx.json<Camera[]>('listarCameras')
      return cameras.map(({ id }) => String(id)).filter((id) => id.startsWith(typed))
    },
  },
}
