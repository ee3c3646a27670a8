import { z } from 'zod'
import { fluxoSchema } from './transmissao.ts'

/**
 * Why a live view ended. `nao_suportado`: an edge of an earlier release, which sends single frames only. `sem_memoria`:
 * the server has no memory for another stream. `vistas_demais`: this login already watches as many as it may.
 */
export const motivosFimAoVivo = [
  'fim',
  'lento',
  'sem_banda',
  'sem_conexao_livre',
  'sem_memoria',
  'offline',
  'vistas_demais',
  'nao_suportado',
  'sessao',
] as const
export type MotivoFimAoVivo = (typeof motivosFimAoVivo)[number]

/**
 * Texts of the WebSocket of a live view. An `inicio` is followed by the init segment as bytes, then come the parts as
 * bytes. After a `salto`, parts are missing, and the next one begins with a keyframe. An `espera` says that no part
 * can follow before a keyframe, which a camera with a "smart" codec sends rarely. Clients ignore unknown texts.
 */
export const mensagemAoVivoSchema = z
  .discriminatedUnion('tipo', [
    z.object({
      tipo: z.literal('fluxo'),
      fluxo: fluxoSchema,
      aviso: z.string().nullable().describe('Por que não é o fluxo pedido; null: é.'),
    }),
    z.object({
      tipo: z.literal('inicio'),
      codecs: z.string(),
      largura: z.int(),
      altura: z.int(),
      parte_ms: z.int().optional().describe('Duração de uma parte.'),
    }),
    z.object({ tipo: z.literal('salto') }),
    z.object({ tipo: z.literal('espera'), detail: z.string().describe('Por que ainda não há imagem.') }),
    z.object({ tipo: z.literal('fim'), motivo: z.enum(motivosFimAoVivo), detail: z.string() }),
  ])
  .meta({ id: 'MensagemAoVivo' })
export type MensagemAoVivo = z.infer<typeof mensagemAoVivoSchema>

export const prioridadeSchema = z.enum(['aberta', 'mosaico'])
export type Prioridade = z.infer<typeof prioridadeSchema>

/** Addresses of the live stream for players of HLS. */
export const enderecosHlsSchema = z
  .object({
    hls_url: z.string().describe('LL-HLS do fluxo principal, relativo a este servidor. Vale enquanto a sessão durar.'),
    sub_hls_url: z.string().optional().describe('O mesmo para o fluxo secundário, se a câmera tem um.'),
  })
  .meta({ id: 'EnderecosHls' })
export type EnderecosHls = z.infer<typeof enderecosHlsSchema>
