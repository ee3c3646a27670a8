import { stopReasons } from '@vigia/ias/replay/occasion'
import { z } from 'zod'
import { caixaSchema, fontesEvidencia, pontoTrajetoSchema } from './eventos.ts'
import { nomesIas } from './ias.ts'
import { idSchema, limiaresSchema } from './values.ts'

/**
 * Edge → cloud, topic `…/extras`: records beside the sequence of events. They are sent after all events, and the quota
 * of the outbox drops them first. Each has its own confirmation. Their pictures follow the header as raw bytes
 * (packages/link, extras-batch.ts).
 */

/**
 * Kinds of extras that this cloud stores, announced in the desired state. An edge sends no other kind. An older cloud
 * announces none.
 */
export const recursosExtras = ['evidencia', 'descartado', 'clipe', 'sem_clipe', 'sem_clipes'] as const
export type RecursoExtra = (typeof recursosExtras)[number]

/** Largest picture of an extra, in bytes. */
export const MAX_IMAGEM_EXTRA = 256 * 1024

const imagemExtraSchema = z.object({
  tipo: z.literal('image/jpeg'),
  tamanho: z.int().min(1).max(MAX_IMAGEM_EXTRA),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** A further picture of the object of an event. */
export const evidenciaSchema = z.object({
  tipo: z.literal('evidencia'),
  v: z.literal(1),
  /** UUIDv7 from the edge. The cloud stores each id once. */
  id: z.uuid(),
  camera_id: idSchema,
  /** Id of the candidate. */
  evento: z.uuid(),
  fonte: z.enum(fontesEvidencia),
  /** Time of the picture minus that of the event, in ms. */
  dt_ms: z.int().min(-60_000).max(60_000),
  /** Whether the first model detected the object again in this picture. */
  redetectada: z.boolean(),
  /** The object first, then detections on it, in fractions of this picture. */
  caixas: z.array(caixaSchema).min(1).max(16),
  imagem: imagemExtraSchema,
})
export type Evidencia = z.infer<typeof evidenciaSchema>

/** Largest number of marks in one record. */
export const MAX_MARCAS = 256

const trilhaSchema = z.string().min(1).max(64)

/**
 * A track that raised no event, or the rest of a track after its event (`motivo` `alertado`): the simulation of other
 * settings reads it. At most one per track, IA and crossing.
 */
export const descartadoSchema = z.object({
  tipo: z.literal('descartado'),
  v: z.literal(1),
  /** UUIDv7 from the edge. The cloud stores each id once. */
  id: z.uuid(),
  camera_id: idSchema,
  ia: z.enum(nomesIas),
  /** Edge clock at the first mark, in epoch ms. */
  ocorrido_em: z.int().min(0),
  motivo: z.enum(stopReasons),
  trilha: trilhaSchema,
  /** The track that fired first in this visit; without an event the track itself. */
  visita: trilhaSchema,
  /** Time of the event after the first mark; null: none. */
  disparou_ms: z.int().min(0).max(3_600_000).nullable(),
  /** Whether the marks reach to the end of the track. */
  completo: z.boolean(),
  confianca: z.number().min(0).max(1),
  caixa: caixaSchema,
  trajeto: z.array(pontoTrajetoSchema).max(64),
  /** Frames that met the rule: ms after the first, confidence, area, and 1 outside the zones. */
  marcas: z
    .array(z.tuple([z.int().min(0).max(3_600_000), z.number().min(0).max(1), z.number().min(0), z.int().min(0).max(1)]))
    .min(1)
    .max(MAX_MARCAS),
  calibracao: limiaresSchema,
  /** Records that the edge left out for its budget since the last one of this camera. */
  omitidos: z.int().min(0),
  /** null: it has an event, or no picture. */
  imagem: imagemExtraSchema.nullable(),
})
export type Descartado = z.infer<typeof descartadoSchema>

/** Limits of a clip: bytes, duration in ms, events that share it. */
export const MAX_CLIPE_BYTES = 128 * 1024 * 1024
export const MAX_CLIPE_MS = 90_000
export const MAX_EVENTOS_CLIPE = 64

export const codecsClipe = ['h264', 'h265'] as const
export type CodecClipe = (typeof codecsClipe)[number]

/** Fields of a video file on the edge: a clip or a recording. */
export const videoFileFields = {
  /** Edge clock at the first picture, in epoch ms. */
  inicio: z.int().min(0),
  codec: z.enum(codecsClipe),
  /** RFC 6381, for example `avc1.4d401f`. */
  codecs: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9.,]+$/),
  largura: z.int().min(1).max(16_384),
  altura: z.int().min(1).max(16_384),
  /** Hash of the file. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
}

/**
 * A clip that the edge has cut and keeps. `imagem` is its preview strip. The cloud orders the file with the command
 * `enviar_clipe` (pedidos.ts).
 */
export const clipeSchema = z.object({
  tipo: z.literal('clipe'),
  v: z.literal(1),
  /** UUID of the clip. The cloud stores each id once. */
  id: z.uuid(),
  camera_id: idSchema,
  /** Ids of the candidates, each with its time after the first picture of the clip. */
  eventos: z
    .array(z.object({ evento: z.uuid(), deslocamento_ms: z.int().min(0).max(MAX_CLIPE_MS) }))
    .min(1)
    .max(MAX_EVENTOS_CLIPE),
  ...videoFileFields,
  duracao_ms: z.int().min(1).max(MAX_CLIPE_MS),
  tamanho: z.int().min(1).max(MAX_CLIPE_BYTES),
  imagem: imagemExtraSchema.nullable(),
})
export type Clipe = z.infer<typeof clipeSchema>

/** Reasons for which the recorder may still have the pictures that the edge lacks. */
export const motivosGravador = [
  /** The camera delivered no pictures around the event. */
  'sem_quadros',
  /** The edge restarted and lost the pictures before the event. */
  'caixa_reiniciada',
  /** The capture process of the camera ended before the clip was complete. */
  'captura_reiniciada',
  /** The capture process gave no clip in time. */
  'recorte_falhou',
  'disco_cheio',
  /** The disk is read-only or failing. */
  'disco_indisponivel',
  /** The file was lost with the disk. */
  'arquivo_perdido',
] as const

/** Reasons of the edge for an event without a clip. */
export const motivosSemClipe = [
  ...motivosGravador,
  'codec_desconhecido',
  /** The camera has masks, and the edge has no encoder for the copy. */
  'sem_codificador',
  /** The edge kept the clip for its time limit and nobody ordered it. */
  'expirado',
  /** Clips are turned off on this edge. */
  'desligado',
] as const
export type MotivoSemClipe = (typeof motivosSemClipe)[number]

/** An event that has no clip, or whose clip the edge no longer holds. */
export const semClipeSchema = z.object({
  tipo: z.literal('sem_clipe'),
  v: z.literal(1),
  /** UUIDv7 from the edge. */
  id: z.uuid(),
  camera_id: idSchema,
  /** Id of the candidate. */
  evento: z.uuid(),
  motivo: z.enum(motivosSemClipe),
  imagem: z.null(),
})
export type SemClipe = z.infer<typeof semClipeSchema>

/** Limits of `sem_clipes`: events of one record, and records of one message. */
export const MAX_SEQS_SEM_CLIPES = 64
export const MAX_SEM_CLIPES_MENSAGEM = 4

/**
 * Events of one camera that have no clip on the edge. It takes the place of their `clipe` and `sem_clipe` records when
 * the disk of the edge is full.
 */
export const semClipesSchema = z.object({
  tipo: z.literal('sem_clipes'),
  v: z.literal(1),
  /** UUIDv7 from the edge. */
  id: z.uuid(),
  camera_id: idSchema,
  /** Sequence numbers of the candidates, ascending. */
  seqs: z.array(z.int().min(1)).min(1).max(MAX_SEQS_SEM_CLIPES),
  motivo: z.enum(motivosSemClipe),
  imagem: z.null(),
})
export type SemClipes = z.infer<typeof semClipesSchema>

export const extraSchema = z.discriminatedUnion('tipo', [
  evidenciaSchema,
  descartadoSchema,
  clipeSchema,
  semClipeSchema,
  semClipesSchema,
])
export type Extra = z.infer<typeof extraSchema>

/** Header of a message with extras. Each `extra` is parsed separately; `bytes` is the size of its picture. */
export const loteExtrasSchema = z.object({
  v: z.literal(1),
  itens: z
    .array(z.object({ extra: z.unknown(), bytes: z.int().min(0) }))
    .min(1)
    .max(64),
})
export type LoteExtras = z.infer<typeof loteExtrasSchema>

/**
 * Cloud → edge, topic `…/confirmacoes`: one answer per extra, sent after the database commit. Each of them removes the
 * extra from the edge. Only an edge that sends extras receives it.
 */
export const confirmacoesExtrasSchema = z.object({
  tipo: z.literal('extras'),
  v: z.literal(1),
  itens: z
    .array(
      z.object({
        id: z.uuid(),
        /** `recusado`: the extra can never be stored, for example because its event was removed. */
        resultado: z.enum(['gravado', 'repetido', 'recusado']),
        motivo: z.string().max(300).nullable(),
      }),
    )
    .max(64),
  /** Extras without an answer yet: the edge sends them again after this time. An older edge repeats them by itself. */
  espere: z
    .object({ ids: z.array(z.uuid()).max(64), s: z.int().min(1).max(3_600) })
    .optional()
    .catch(undefined),
})
export type ConfirmacoesExtras = z.infer<typeof confirmacoesExtrasSchema>
export type ConfirmacaoExtra = ConfirmacoesExtras['itens'][number]
