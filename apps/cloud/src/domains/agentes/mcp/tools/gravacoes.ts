import { estadosGravacao, type Gravacao, gravacaoCreateSchema } from '@vigia/contracts/gravacoes'
import { z } from 'zod'
import { defineTool } from '../tool.ts'
import { CRIACAO } from './annotations.ts'
import { cameraId } from './ids.ts'

const { inicio, fim } = gravacaoCreateSchema.shape

/** Requests a part once: the same part again has the state of that request, unless it has failed. */
export const fetchRecording = defineTool({
  nome: 'buscar_gravacao',
  titulo: 'Buscar gravação',
  descricao:
    'Busca no gravador até 15 minutos de uma câmera, no tempo que duram. O mesmo trecho de novo diz como anda. ' +
    'Pronto, o vídeo fica 7 dias em Eventos e gravações da câmera.',
  entrada: z.strictObject({
    camera_id: cameraId,
    inicio: inicio.describe('Com fuso: `2026-01-31T09:00:00-03:00`.'),
    fim: fim.describe('Como `inicio`.'),
  }),
  saida: z.object({
    estado: z.enum(estadosGravacao).describe('`enviando`: a caixa envia.'),
    progresso: z.number().describe('De 0 a 1, no gravador.'),
    detalhe: z.string().nullable().describe('Por que espera ou falhou.'),
  }),
  operacoes: ['listarGravacoes', 'buscarGravacao'],
  anotacoes: CRIACAO,
  run: async ({ camera_id, ...json }, ctx) => {
    const params = { camera_id: String(camera_id) }
    const listed = await ctx.json<Gravacao[]>('listarGravacoes', { params })
    const known = listed.find(
      (one) =>
        one.estado !== 'falhou' &&
        Date.parse(one.inicio) === Date.parse(json.inicio) &&
        Date.parse(one.fim) === Date.parse(json.fim),
    )
    const dados = known ?? (await ctx.json<Gravacao>('buscarGravacao', { params, json }))
    return { dados: { estado: dados.estado, progresso: dados.progresso, detalhe: dados.detalhe } }
  },
})
