import { detailsShape } from '@vigia/ias/catalogue'
import { z } from 'zod'
import { caixaSchema } from './eventos.ts'
import { nomesIas } from './ias.ts'
import { idSchema, limiaresSchema } from './values.ts'

/**
 * Edge → cloud, topic `…/candidatos`: what the outbox holds, in batches. The JSON here is part of the header of a batch;
 * the media follow it as raw bytes (packages/link, batch.ts).
 */

/** How far the edge's clock was from the cloud's (ms, edge minus cloud; null: not yet known), and whether NTP had set it. */
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

/** One place of a tracked object: ms after the event (negative: before it), box as fractions of the frame. */
export const pontoTrajetoSchema = z.object({
  ms: z.int(),
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  w: z.number().min(0).max(1),
  h: z.number().min(0).max(1),
})

/** Everything that only some IAs say. A newer edge may say more than an older cloud knows: that is left out, the event is not. */
export const detalhesIaSchema = z.object({
  /** By IA: the `catalogue.ts` of its folder in packages/ias. */
  ...detailsShape,
  /** The way of the (first) object up to the event, oldest first. */
  trajeto: z.array(pontoTrajetoSchema).max(64).optional(),
})
export type DetalhesIa = z.infer<typeof detalhesIaSchema>

export const candidatoSchema = z.object({
  tipo: z.literal('candidato'),
  v: z.literal(1),
  /** UUIDv7 made on the edge: the identity under which the cloud stores it once. */
  id: z.uuid(),
  camera_id: idSchema,
  /** Counts up by one per camera on this edge, gap records included. */
  seq: z.int().min(1),
  ia: z.enum(nomesIas),
  /** Edge clock, epoch ms. */
  ocorrido_em: z.int().min(0),
  relogio: relogioSchema,
  confianca: z.number().min(0).max(1),
  rotulos: z.array(z.string().max(64)).max(64),
  caixas: z.array(caixaSchema).max(256),
  zona: z.int().min(0).nullable(),
  /** Pixels of the frame that was analysed. */
  quadro: z.object({ largura: z.int().min(1), altura: z.int().min(1) }),
  /** Thresholds in force when it fired. */
  calibracao: limiaresSchema,
  /** Registry id of the detector. */
  modelo: z.string().max(100),
  /** What else the IA has to say (direction, seconds, how many, what is missing) and the way of the object; each IA's file says which. */
  detalhes: detalhesIaSchema.default({}).catch({}),
  /** Empty when the disk quota took the media (`midia_descartada`). */
  midias: z.array(midiaSchema).max(4),
  midia_descartada: z.boolean().default(false),
})
export type Candidato = z.infer<typeof candidatoSchema>

/** Why an edge no longer has candidates of its own. */
export const motivosLacuna = [
  /** The quota of the outbox, in bytes or of free space, took them. */
  'cota_de_disco',
  /** The disk could not be written for so long that the memory for waiting events was used up. */
  'disco_indisponivel',
] as const

/** Candidates `de_seq`…`ate_seq` of one camera will never come. */
export const lacunaSchema = z.object({
  tipo: z.literal('lacuna'),
  v: z.literal(1),
  id: z.uuid(),
  camera_id: idSchema,
  de_seq: z.int().min(1),
  ate_seq: z.int().min(1),
  /** Edge clock, epoch ms, of the first and the last one dropped. */
  ocorrido_de: z.int().min(0),
  ocorrido_ate: z.int().min(0),
  motivo: z.enum(motivosLacuna),
})
export type Lacuna = z.infer<typeof lacunaSchema>

export const registroSchema = z.discriminatedUnion('tipo', [candidatoSchema, lacunaSchema])
export type Registro = z.infer<typeof registroSchema>

/** Highest sequence number of one camera's record. */
export const ultimoSeqDe = (registro: Registro): number =>
  registro.tipo === 'candidato' ? registro.seq : registro.ate_seq
/** Lowest sequence number of one camera's record. */
export const primeiroSeqDe = (registro: Registro): number =>
  registro.tipo === 'candidato' ? registro.seq : registro.de_seq

/** Where a record stands in its camera's sequence at the moment it is sent; never stored on the edge. */
export const posicaoSchema = z.object({
  /** Lowest number of this camera that the edge still holds: what is below it and did not come will never come. */
  base: z.int().min(1),
  /**
   * The numbers from here up to the record must be there before it is stored. The lane of waiting records says its `base`; the
   * lane of live records says where it began, and so overtakes what waits.
   */
  desde: z.int().min(1),
})
export type Posicao = z.infer<typeof posicaoSchema>

/** Header of a batch, topic `…/candidatos`; `registro` is read one by one, so that one bad record does not spoil the others. */
export const loteSchema = z.object({
  v: z.literal(2),
  /** Names the outbox: made together with its file. Another one counts anew, or goes on where the cloud told it to. */
  serie: z.uuid(),
  itens: z
    .array(
      posicaoSchema.extend({
        registro: z.unknown(),
        /** Bytes of all its media, in the order of `registro.midias`. */
        bytes: z.int().min(0),
      }),
    )
    .min(1)
    .max(256),
})
export type Lote = z.infer<typeof loteSchema>

export const resultadosRegistro = [
  'gravado',
  /** It was there already. */
  'repetido',
  /** It can never be stored (camera removed, unreadable): the edge drops it and logs why. */
  'recusado',
  /** A record that has to come before it is missing: the edge goes back to the first one that it still holds. */
  'fora_de_ordem',
] as const

/** Cloud → edge, topic `…/confirmacoes`: one answer for each record of a batch, sent after the database commit. Only this empties the outbox. */
export const confirmacoesSchema = z.object({
  tipo: z.literal('registros'),
  v: z.literal(2),
  itens: z
    .array(
      z.object({
        id: z.uuid(),
        resultado: z.enum(resultadosRegistro),
        motivo: z.string().max(300).nullable(),
      }),
    )
    .max(256),
})
export type Confirmacoes = z.infer<typeof confirmacoesSchema>
export type Confirmacao = Confirmacoes['itens'][number]

/**
 * Cloud → edge, topic `…/confirmacoes`: the answer to a report. With the edge's own clock at its arrival these are the four
 * instants of RFC 5905 section 8, all epoch ms.
 */
export const ecoSchema = z.object({
  tipo: z.literal('eco'),
  v: z.literal(2),
  /** `enviado_em` of the report: edge clock. */
  t1: z.int().min(0),
  /** Cloud clock when the report came, and when this answer left. */
  t2: z.int().min(0),
  t3: z.int().min(0),
})
export type Eco = z.infer<typeof ecoSchema>

export const respostaCentralSchema = z.discriminatedUnion('tipo', [confirmacoesSchema, ecoSchema])
export type RespostaCentral = z.infer<typeof respostaCentralSchema>
