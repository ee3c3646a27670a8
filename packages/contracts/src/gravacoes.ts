import { z } from 'zod'
import { causaSchema } from './causa.ts'
import { videoFileFields } from './extras.ts'
import { horaIncertaSchema } from './hora-incerta.ts'
import { instanteComFusoSchema, instanteSchema } from './values.ts'

/** Longest part of a recorder's archive that one request fetches, in ms. */
export const MAX_GRAVACAO_MS = 15 * 60_000
/** Fetched before and behind the requested part, because recorders' clocks differ. */
export const GRAVACAO_MARGEM_MS = 10_000
/** Largest file, in bytes: 15 minutes at 9 Mbit/s. */
export const MAX_GRAVACAO_BYTES = 1024 * 1024 * 1024

/** Why an edge could not fetch a recording; the API has a sentence for each. */
export const falhasGravacao = [
  /** No form of playback is known for the maker of the recorder. */
  'sem_arquivo',
  /** The recorder has no pictures of this time. */
  'sem_gravacao',
  /** The camera has privacy masks, and the edge cannot make a covered copy. */
  'mascara',
  'senha_recusada',
  'inalcancavel',
  'codec_desconhecido',
  'disco_cheio',
  'disco_indisponivel',
  'interno',
] as const
export type FalhaGravacao = (typeof falhasGravacao)[number]

/** The recorder's clock, as the edge measured it for a recording. */
export const relogioGravadorSchema = z.object({
  /** Clock of the recorder minus that of the edge, in ms. */
  desvio_ms: z.int(),
  /** Zone of the recorder, in minutes east of UTC. */
  fuso_min: z.int().min(-1_440).max(1_440),
  /** `Z` in the addresses of this recorder means its wall clock. */
  z_local: z.boolean(),
  /** False: the recorder did not report its time, or both readings of `Z` remain possible. */
  medido: z.boolean(),
})
export type RelogioGravador = z.infer<typeof relogioGravadorSchema>

/** A recording on the disk of the edge. The command `enviar_clipe` with the id of its request uploads it. */
export const arquivoGravacaoSchema = z.object({
  ...videoFileFields,
  duracao_ms: z.int().min(1),
  tamanho: z.int().min(1).max(MAX_GRAVACAO_BYTES),
  /** False: the recording has a gap or ends early. The file ends there. */
  completa: z.boolean(),
  relogio: relogioGravadorSchema,
  /** `caixa`: from the edge's own recordings. Absent: from the recorder, as from an older edge. */
  fonte: z.enum(['gravador', 'caixa']).optional(),
  /** The first picture is at most this much later: from own recordings of an unknown time. Absent: it is known. */
  incerta_ms: z.int().min(0).optional(),
})
export type ArquivoGravacao = z.infer<typeof arquivoGravacaoSchema>

/** State of a fetch on the edge. */
export const buscaGravacaoSchema = z.discriminatedUnion('estado', [
  /** Waits for another fetch of this recorder, or for a free connection to it. */
  z.object({
    estado: z.literal('na_fila'),
    /** The recorder did not serve the last attempt. Absent: it was not asked, or an older edge. */
    causa: causaSchema.optional().catch(undefined),
  }),
  z.object({ estado: z.literal('recebendo'), progresso: z.number().min(0).max(1) }),
  z.object({ estado: z.literal('pronta'), arquivo: arquivoGravacaoSchema }),
  z.object({
    estado: z.literal('falhou'),
    falha: z.enum(falhasGravacao),
    /** With `inalcancavel` and `interno`. Absent: an older edge. */
    causa: causaSchema.optional().catch(undefined),
  }),
])
export type BuscaGravacao = z.infer<typeof buscaGravacaoSchema>

/** Fetches that have not ended: of one login, and from one recorder. */
export const MAX_GRAVACOES_LOGIN = 2
export const MAX_GRAVACOES_GRAVADOR = 4

/** `recebendo`: the recorder plays. `enviando`: the file travels from the edge to the cloud. */
export const estadosGravacao = ['na_fila', 'recebendo', 'enviando', 'pronta', 'falhou'] as const

export const gravacaoCreateSchema = z.object({ inicio: instanteComFusoSchema, fim: instanteComFusoSchema }).meta({
  id: 'GravacaoCreate',
  examples: [{ inicio: '2026-01-31T09:00:00-03:00', fim: '2026-01-31T09:05:00-03:00' }],
})
export type GravacaoCreate = z.infer<typeof gravacaoCreateSchema>

export const gravacaoSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    camera_id: z.int(),
    inicio: instanteSchema.describe('O trecho pedido.'),
    fim: instanteSchema,
    estado: z.enum(estadosGravacao),
    progresso: z.number().min(0).max(1).describe('Da reprodução no gravador, que leva o tempo do trecho.'),
    detalhe: z.string().nullable().describe('Por que espera, falhou ou está incompleta, e o que fazer.'),
    arquivo_url: z.string().nullable().describe('MP4; null: ainda não está pronta.'),
    arquivo_inicio: instanteSchema
      .nullable()
      .describe('Hora da primeira imagem: o arquivo começa até 10 s e um quadro-chave antes do trecho.'),
    duracao_ms: z.int().nullable(),
    codecs: z.string().nullable().describe('RFC 6381.'),
    tamanho: z.int().nullable(),
    sha256: z.string().nullable(),
    completa: z.boolean().nullable().describe('false: a gravação tem uma falta, e o arquivo termina nela.'),
    fonte: z
      .enum(['gravador', 'caixa'])
      .nullable()
      .describe('caixa: da gravação contínua dela, porque o gravador não tem o trecho; null: ainda não está pronta.'),
    relogio: relogioGravadorSchema.nullable().describe('O relógio do gravador, como a caixa o mediu.'),
    hora_incerta: horaIncertaSchema
      .optional()
      .describe('A hora mais cedo e a mais tarde da primeira imagem, se a caixa nunca soube a hora dela.'),
    pedida_por: z.string(),
    criada_em: instanteSchema,
    expira_em: instanteSchema.describe('Depois disso a gravação é apagada.'),
  })
  .meta({ id: 'Gravacao' })
export type Gravacao = z.infer<typeof gravacaoSchema>

/** Longest part that one list covers, in ms. */
export const MAX_LISTA_GRAVACAO_MS = 24 * 3_600_000
/** Largest number of spans of one source in a list. The nearest ones are joined above it. */
export const MAX_TRECHOS_GRAVACAO = 500

/** Why the edge has no list of the recorder; the API has a sentence for each. */
export const falhasListaGravacao = [
  /** No form of the list is known for the maker of the recorder. */
  'sem_arquivo',
  /** No HTTP port of the recorder answers the call for the list. */
  'sem_lista',
  /** The login may not list recordings. */
  'sem_permissao',
  'senha_recusada',
  'inalcancavel',
  'sem_conexao_livre',
  'interno',
] as const
export type FalhaListaGravacao = (typeof falhasListaGravacao)[number]

/**
 * Edge clock, epoch ms. `incerta_ms`: the span is at most this much later, because the machine never knew the time.
 * Absent: the time is known, or an older edge.
 */
const trechoListadoSchema = z.object({
  de: z.int().min(0),
  ate: z.int().min(0),
  incerta_ms: z.int().min(0).optional(),
})
const trechosListadosSchema = z.array(trechoListadoSchema).max(MAX_TRECHOS_GRAVACAO)

/** Recordings on the recorder of a camera and on its edge. The spans of each are in order, without overlaps. */
export const listaGravacaoSchema = z.object({
  gravador: z.discriminatedUnion('estado', [
    /** `completa` false: the recorder holds more than one list has. */
    z.object({
      estado: z.literal('lista'),
      trechos: trechosListadosSchema,
      completa: z.boolean(),
      relogio: relogioGravadorSchema,
    }),
    z.object({ estado: z.literal('sem_lista'), falha: z.enum(falhasListaGravacao) }),
  ]),
  /** From the edge's own recordings. */
  caixa: trechosListadosSchema,
})
export type ListaGravacao = z.infer<typeof listaGravacaoSchema>

export const trechoGravadoSchema = z
  .object({
    inicio: instanteSchema,
    fim: instanteSchema,
    fonte: z.enum(['gravador', 'caixa']).describe('caixa: da gravação contínua dela.'),
    hora_incerta: horaIncertaSchema.optional().describe('A hora mais cedo e a mais tarde do começo do trecho.'),
  })
  .meta({ id: 'TrechoGravado' })
export type TrechoGravado = z.infer<typeof trechoGravadoSchema>

export const gravacaoListadaSchema = z
  .object({
    camera_id: z.int(),
    inicio: instanteSchema.describe('O período pedido, no máximo 24 h.'),
    fim: instanteSchema,
    trechos: z
      .array(trechoGravadoSchema)
      .describe('O que existe no período, por fonte e hora. Trechos com poucos segundos entre si são um só.'),
    gravador: z
      .enum(['completa', 'incompleta', 'sem_lista'])
      .describe('incompleta: o gravador tem mais do que coube na lista; sem_lista: veja `detalhe`.'),
    detalhe: z.string().nullable().describe('Por que falta a lista do gravador, e o que fazer.'),
    relogio: relogioGravadorSchema.nullable().describe('O relógio do gravador, como a caixa o mediu.'),
  })
  .meta({ id: 'GravacaoListada' })
export type GravacaoListada = z.infer<typeof gravacaoListadaSchema>
