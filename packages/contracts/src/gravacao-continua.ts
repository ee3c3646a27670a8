import { z } from 'zod'
import { instanteSchema } from './values.ts'

/** Disk space for the recordings of all cameras of an edge, in MB (10^6 bytes), unless an administrator sets it. */
export const GRAVACAO_CONTINUA_MB_PADRAO = 20_000
export const orcamentoGravacaoSchema = z.int().min(1_000).max(100_000_000)

/** Part of the recordings of a camera that a person had deleted, edge clock, epoch ms. */
const trechoApagadoSchema = z.object({ de: z.int().min(0), ate: z.int().min(0) })
export type TrechoApagado = z.infer<typeof trechoApagadoSchema>
export const MAX_GRAVACAO_APAGADA = 8
export const gravacaoApagadaSchema = z.array(trechoApagadoSchema).max(MAX_GRAVACAO_APAGADA)

/** `cartao`: SD card, eMMC or USB stick. */
export const tiposDisco = ['hdd', 'ssd', 'usb', 'cartao', 'desconhecido'] as const
export type TipoDisco = (typeof tiposDisco)[number]

/** Why an edge does not record a camera now; the API has a sentence for each. */
export const motivosSemGravacao = [
  /** The disk is an SD card, eMMC or USB stick, which continuous writing wears out. */
  'disco_cartao',
  /** The camera has privacy masks. */
  'mascara',
  /** The camera has no sub stream. */
  'sem_subfluxo',
  /** The camera is inactive, or its addresses are unreadable. */
  'inativa',
  /** The stream has no pictures now. */
  'sem_video',
  'disco_cheio',
  'disco_indisponivel',
] as const
export type MotivoSemGravacao = (typeof motivosSemGravacao)[number]

/** Part of an edge's report: recordings of one camera on its disk. */
export const gravacaoRelatadaSchema = z.object({
  /** null: it records. */
  motivo: z.enum(motivosSemGravacao).nullable(),
  /** Edge clock at the first and the last picture held, epoch ms; null: none. Gaps are possible. */
  de: z.int().min(0).nullable(),
  ate: z.int().min(0).nullable(),
  /** MB, 10^6 bytes. */
  mb: z.int().min(0),
})
export type GravacaoRelatada = z.infer<typeof gravacaoRelatadaSchema>

/** Part of an edge's report: its disk for recordings. Edges that cannot record do not send it. */
export const discoGravacaoSchema = z.object({
  tipo: z.enum(tiposDisco),
  /** Size for all cameras, and the largest value, MB. */
  mb: z.int().min(0),
  orcamento_mb: z.int().min(0),
})
export type DiscoGravacao = z.infer<typeof discoGravacaoSchema>

/** `caixa_antiga`: the program of the edge cannot record. `aguardando`: the edge has not confirmed it. */
export const situacoesGravacaoContinua = ['desligada', 'gravando', 'parada', 'aguardando', 'caixa_antiga'] as const
export type SituacaoGravacaoContinua = (typeof situacoesGravacaoContinua)[number]

export const gravacaoContinuaPutSchema = z
  .strictObject({ ligada: z.boolean() })
  .meta({ id: 'GravacaoContinuaPut', examples: [{ ligada: true }] })

export const gravacaoContinuaSchema = z
  .object({
    ligada: z.boolean(),
    situacao: z.enum(situacoesGravacaoContinua).describe('O que a caixa faz agora.'),
    detalhe: z.string().nullable().describe('Por que não grava, e o que fazer.'),
    de: instanteSchema.nullable().describe('Primeira e última imagem guardadas, pelo relógio da caixa.'),
    ate: instanteSchema.nullable(),
    mb: z.number().nullable().describe('Espaço que as gravações da câmera ocupam, em MB.'),
  })
  .meta({ id: 'GravacaoContinua' })
export type GravacaoContinua = z.infer<typeof gravacaoContinuaSchema>
