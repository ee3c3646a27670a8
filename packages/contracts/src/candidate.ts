import { detailsShape } from '@vigia/ias/catalogue'
import { z } from 'zod'
import { caixaSchema, pontoTrajetoSchema } from './eventos.ts'
import { confirmacoesExtrasSchema } from './extras.ts'
import { intervaloIncertoSchema } from './hora-incerta.ts'
import { nomesIas } from './ias.ts'
import { registroPassagemSchema } from './registro-passagem.ts'
import { idSchema, limiaresSchema } from './values.ts'

/**
 * Edge → cloud, topic `…/candidatos`: the records of the outbox, in batches. This JSON is part of the header of a
 * batch; the media follow as raw bytes (packages/link, batch.ts).
 */

/**
 * Offset from the cloud's clock (ms, edge minus cloud; null: unknown), and whether NTP had set the edge's clock. In a
 * record it is the offset of its time, in a report that of the edge's clock.
 */
export const relogioSchema = z.object({ desvio_ms: z.number().nullable(), sincronizado: z.boolean() })

export const midiaSchema = z.object({
  papel: z.enum(['crop', 'quadro']),
  tipo: z.literal('image/jpeg'),
  tamanho: z
    .int()
    .min(1)
    .max(10 * 1024 * 1024),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Midia = z.infer<typeof midiaSchema>

/** Details that only some IAs report. An older cloud drops unknown details of a newer edge, but keeps the event. */
export const detalhesIaSchema = z.object({
  /** The `catalogue.ts` of each IA in packages/ias defines its details. */
  ...detailsShape,
  /** Path of the (first) object up to the event, oldest position first. */
  trajeto: z.array(pontoTrajetoSchema).max(64).optional(),
})
export type DetalhesIa = z.infer<typeof detalhesIaSchema>

export const candidatoSchema = z.object({
  tipo: z.literal('candidato'),
  v: z.literal(1),
  /** UUIDv7 from the edge. The cloud stores each id once. */
  id: z.uuid(),
  camera_id: idSchema,
  /** Increases by one with each record of a camera on this edge, including lacuna records. */
  seq: z.int().min(1),
  ia: z.enum(nomesIas),
  /** In epoch ms: edge clock, or the right time where the edge knows that its clock is wrong. */
  ocorrido_em: z.int().min(0),
  hora_incerta: intervaloIncertoSchema,
  relogio: relogioSchema,
  confianca: z.number().min(0).max(1),
  rotulos: z.array(z.string().max(64)).max(64),
  caixas: z.array(caixaSchema).max(256),
  zona: z.int().min(0).nullable(),
  /**
   * The (first) track of the event, unique per camera and process start. Absent: an older edge, or an event without a
   * track.
   */
  trilha: z.string().min(1).max(64).optional().catch(undefined),
  /** Size of the analysed frame, in pixels. */
  quadro: z.object({ largura: z.int().min(1), altura: z.int().min(1) }),
  /** Thresholds in force at the event. */
  calibracao: limiaresSchema,
  /** Registry id of the detector. */
  modelo: z.string().max(100),
  /**
   * Further details of the IA (direction, seconds, counts, missing items) and the path of the object. Each IA defines
   * its own.
   */
  detalhes: detalhesIaSchema.default({}).catch({}),
  /**
   * W3C Trace Context of the span in which the edge stored the candidate. Absent: the edge sends no traces. An older
   * cloud drops it.
   */
  traceparent: z.string().max(55).optional().catch(undefined),
  /** Empty if the disk quota discarded the media (`midia_descartada`). */
  midias: z.array(midiaSchema).max(4),
  midia_descartada: z.boolean().default(false),
})
export type Candidato = z.infer<typeof candidatoSchema>

/** Reasons why an edge dropped candidates. */
export const motivosLacuna = [
  /** The quota of the outbox (bytes or free space) was exceeded. */
  'cota_de_disco',
  /** The disk was not writable for so long that the memory for waiting events was full. */
  'disco_indisponivel',
] as const

/** States that candidates `de_seq`…`ate_seq` of one camera will never arrive. */
export const lacunaSchema = z.object({
  tipo: z.literal('lacuna'),
  v: z.literal(1),
  id: z.uuid(),
  camera_id: idSchema,
  de_seq: z.int().min(1),
  ate_seq: z.int().min(1),
  /** Edge time of the first and the last dropped one, in epoch ms. */
  ocorrido_de: z.int().min(0),
  ocorrido_ate: z.int().min(0),
  motivo: z.enum(motivosLacuna),
})
export type Lacuna = z.infer<typeof lacunaSchema>

export const registroSchema = z.discriminatedUnion('tipo', [candidatoSchema, registroPassagemSchema, lacunaSchema])
export type Registro = z.infer<typeof registroSchema>

/** Highest sequence number of one camera's record. */
export const ultimoSeqDe = (registro: Registro): number =>
  registro.tipo === 'lacuna' ? registro.ate_seq : registro.seq
/** Lowest sequence number of one camera's record. */
export const primeiroSeqDe = (registro: Registro): number =>
  registro.tipo === 'lacuna' ? registro.de_seq : registro.seq

/** The record without its pictures, which were dropped or cannot be sent. */
export const stripMedia = (registro: Registro): Registro =>
  registro.tipo === 'lacuna' ? registro : { ...registro, midias: [], midia_descartada: true }

/** Position of a record in the sequence of its camera at its sending; never stored on the edge. */
export const posicaoSchema = z.object({
  /** Lowest number of this camera that the edge still holds. Lower numbers that are missing will never arrive. */
  base: z.int().min(1),
  /**
   * All numbers from this one up to the record must be stored before the record. The backlog lane sends its `base`. The
   * live lane sends its own first number, so that it may overtake the backlog.
   */
  desde: z.int().min(1),
})
export type Posicao = z.infer<typeof posicaoSchema>

/**
 * Header of a batch, topic `…/candidatos`. Each `registro` is parsed separately, so that an invalid one does not affect
 * the others.
 */
export const loteSchema = z.object({
  v: z.literal(2),
  /**
   * Id of the outbox, created with its file. A new outbox starts its numbers at 1, or continues from the `ultimo_seq`
   * of the cloud.
   */
  serie: z.uuid(),
  itens: z
    .array(
      posicaoSchema.extend({
        registro: z.unknown(),
        /** Total size of its media in bytes; they follow in the order of `registro.midias`. */
        bytes: z.int().min(0),
      }),
    )
    .min(1)
    .max(256),
})
export type Lote = z.infer<typeof loteSchema>

export const resultadosRegistro = [
  'gravado',
  /** The record was stored before. */
  'repetido',
  /** The record can never be stored (camera removed, unreadable): the edge drops it and logs the reason. */
  'recusado',
  /** An earlier record is missing: the edge restarts at the first record that it still holds. */
  'fora_de_ordem',
] as const

/**
 * Cloud → edge, topic `…/confirmacoes`: one answer per record of a batch, sent after the database commit. Only this
 * answer removes records from the outbox.
 */
export const confirmacoesSchema = z.object({
  tipo: z.literal('registros'),
  v: z.literal(2),
  itens: z
    .array(
      z.object({
        id: z.uuid(),
        resultado: z.enum(resultadosRegistro),
        motivo: z.string().max(300).nullable(),
        /** With `fora_de_ordem`: the edge sends the record again after this time. An older edge repeats sooner. */
        espere_s: z.int().min(1).max(3_600).optional(),
      }),
    )
    .max(256),
})
export type Confirmacoes = z.infer<typeof confirmacoesSchema>
export type Confirmacao = Confirmacoes['itens'][number]

/**
 * Cloud → edge, topic `…/confirmacoes`: the answer to a report. Together with its arrival time on the edge these are
 * the four instants of RFC 5905 section 8, in epoch ms.
 */
export const ecoSchema = z.object({
  tipo: z.literal('eco'),
  v: z.literal(2),
  /** `enviado_em` of the report: edge clock. */
  t1: z.int().min(0),
  /** Cloud clock at the arrival of the report and at the sending of this answer. */
  t2: z.int().min(0),
  t3: z.int().min(0),
})
export type Eco = z.infer<typeof ecoSchema>

export const respostaCentralSchema = z.discriminatedUnion('tipo', [
  confirmacoesSchema,
  ecoSchema,
  confirmacoesExtrasSchema,
])
export type RespostaCentral = z.infer<typeof respostaCentralSchema>
