import { type Camera, cameraSchema, statusCamera } from '@vigia/contracts/cameras'
import { z } from 'zod'
import { routeTool } from '../route-tool.ts'
import { defineTool } from '../tool.ts'
import { LEITURA, LEITURA_FORA } from './annotations.ts'
import { cameraLink, cameraResumoSchema, resumeCamera } from './camera-summary.ts'
import { cameraId, empresaFiltro, gravadorId } from './ids.ts'
import { cutPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/** Longer side of a picture in pixels: models use no more, and some clients reject results of 1 MB. */
const LADO = 1568

const textoDeBusca = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Cameras with that text in their name, without regard to accents and capitals. */
export const camerasNamed = (cameras: readonly Camera[], nome: string): Camera[] =>
  cameras.filter((camera) => textoDeBusca(camera.nome).includes(textoDeBusca(nome)))

export const cameraTools = [
  defineTool({
    nome: 'listar_cameras',
    titulo: 'Listar câmeras',
    descricao:
      'As câmeras, resumidas: nome, status e IAs ligadas. Todos os campos: obter_camera; a imagem: ' +
      'capturar_imagem.',
    entrada: z.strictObject({
      empresa_id: empresaFiltro,
      gravador_id: gravadorId.optional().describe('Só deste gravador.'),
      status: z.enum(statusCamera).optional().describe('`offline`: ligada, sem imagem.'),
      nome: z.string().max(200).optional().describe('Texto no nome; acentos não contam.'),
      ...paginaEntrada,
    }),
    saida: z.object({ cameras: z.array(cameraResumoSchema).describe('As câmeras desta página.'), ...paginaSaida }),
    operacoes: ['listarCameras'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { empresa_id, gravador_id, status, nome } = entrada
      const query = queryOf({ empresa_id })
      const all = await ctx.json<Camera[]>('listarCameras', { query })
      const wanted = camerasNamed(all, nome ?? '').filter(
        (camera) =>
          (gravador_id === undefined || camera.gravador_id === gravador_id) &&
          (status === undefined || camera.status === status),
      )
      const { itens, ...pagina } = cutPage('cameras', wanted, entrada)
      return { dados: { cameras: itens.map(resumeCamera), ...pagina } }
    },
  }),
  routeTool({
    nome: 'obter_camera',
    titulo: 'Obter câmera',
    descricao:
      'Todos os campos de uma câmera: status e por quê, endereço (senha `****`), IAs, zonas, linha, Agenda, ' +
      'instruções. A calibração em vigor: obter_calibracao.',
    rota: { operacao: 'verCamera', resposta: cameraSchema },
    registro: ['camera_id', cameraId],
    devolve: ['camera', 'A câmera inteira.'],
    anotacoes: LEITURA,
  }),
  defineTool({
    nome: 'capturar_imagem',
    titulo: 'Capturar imagem',
    descricao: 'O que a câmera mostra agora: um JPEG tirado pela caixa em até 10 s. Só de câmera `online`.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: z.object({
      camera_id: z.int().describe('De qual câmera é a imagem.'),
      tipo: z.string().describe('Tipo da imagem que acompanha a resposta: `image/jpeg`.'),
      bytes: z.int().describe('Tamanho da imagem, em bytes.'),
    }),
    operacoes: ['verSnapshot'],
    anotacoes: LEITURA_FORA,
    run: async ({ camera_id }, ctx) => {
      const query = { lado: String(LADO) }
      const imagem = await ctx.picture('verSnapshot', { params: { camera_id: String(camera_id) }, query })
      return {
        dados: { camera_id, tipo: imagem.tipo, bytes: imagem.bytes.length },
        imagens: [imagem],
        vinculos: [cameraLink(camera_id)],
      }
    },
  }),
]
