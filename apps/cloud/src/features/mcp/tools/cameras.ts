import { type Camera, cameraSchema, statusCamera } from '@vigia/contracts/cameras'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { LEITURA, LEITURA_FORA } from './annotations.ts'
import { cameraLink, cameraResumoSchema, resumeCamera } from './camera-summary.ts'
import { cameraId, empresaFiltro, gravadorId } from './ids.ts'
import { cutPage, paginaEntrada, paginaSaida, queryOf } from './paging.ts'

/** Longer side of a picture in pixels: models use no more, and some clients reject results of 1 MB. */
const LADO = 1568

const textoDeBusca = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export const cameraTools = [
  defineTool({
    nome: 'listar_cameras',
    titulo: 'Listar câmeras',
    descricao:
      'As câmeras que o login alcança, resumidas: nome, status e IAs ligadas. Use para achar um `camera_id` ou ' +
      'para ver o que ' +
      'está fora do ar (`status`: `offline`). Para todos os campos de uma, obter_camera; para a imagem, ' +
      'capturar_imagem.',
    entrada: z.strictObject({
      empresa_id: empresaFiltro,
      gravador_id: gravadorId.optional().describe('Só as câmeras deste gravador (id de listar_gravadores).'),
      status: z
        .enum(statusCamera)
        .optional()
        .describe('Só as que estão assim: `online`, `offline` (ligada, mas sem imagem) ou `desativada`.'),
      nome: z
        .string()
        .max(200)
        .optional()
        .describe('Só as que têm este texto no nome; acentos e maiúsculas não contam.'),
      ...paginaEntrada,
    }),
    saida: z.object({ cameras: z.array(cameraResumoSchema).describe('As câmeras desta página.'), ...paginaSaida }),
    operacoes: ['listarCameras'],
    anotacoes: LEITURA,
    run: async (entrada, ctx) => {
      const { empresa_id, gravador_id, status, nome } = entrada
      const query = queryOf({ empresa_id })
      const all = await ctx.json<Camera[]>('listarCameras', { query })
      const wanted = all.filter(
        (camera) =>
          (gravador_id === undefined || camera.gravador_id === gravador_id) &&
          (status === undefined || camera.status === status) &&
          (nome === undefined || textoDeBusca(camera.nome).includes(textoDeBusca(nome))),
      )
      const { itens, ...pagina } = cutPage('cameras', wanted, entrada)
      return { dados: { cameras: itens.map(resumeCamera), ...pagina } }
    },
  }),
  defineTool({
    nome: 'obter_camera',
    titulo: 'Obter câmera',
    descricao:
      'Todos os campos de uma câmera: status e por que não está online, endereço (senha como `****`), IAs, ' +
      'calibração própria, ' +
      'zonas, linha, Agenda, instruções. Para a calibração em vigor, com os padrões, use obter_calibracao.',
    entrada: z.strictObject({ camera_id: cameraId }),
    saida: z.object({ camera: cameraSchema.describe('A câmera inteira.') }),
    operacoes: ['verCamera'],
    anotacoes: LEITURA,
    run: async ({ camera_id }, ctx) => ({
      dados: { camera: await ctx.json<Camera>('verCamera', { params: { camera_id: String(camera_id) } }) },
    }),
  }),
  defineTool({
    nome: 'capturar_imagem',
    titulo: 'Capturar imagem',
    descricao:
      `Uma imagem JPEG do que a câmera mostra agora, tirada na hora pelo edge (até 10 s), com até ${LADO} ` +
      'pixels de lado. Só de ' +
      'câmera `online`. Use para ver a cena, conferir zonas ou enquadramento. A imagem de um evento passado vem ' +
      'de obter_evento.',
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
