import { z } from 'zod'
import { caixaSchema } from './eventos.ts'
import { nomesIas } from './ias.ts'
import { idSchema } from './values.ts'

/**
 * Edge → cloud, topic `…/candidatos`: what the outbox holds. The JSON here is the header of the link's binary envelope;
 * the media follow it as raw bytes (packages/link, envelope.ts).
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
  calibracao: z.record(z.string(), z.union([z.number(), z.boolean()])),
  /** Registry id of the detector. */
  modelo: z.string().max(100),
  /** Empty when the disk quota took the media (`midia_descartada`). */
  midias: z.array(midiaSchema).max(4),
  midia_descartada: z.boolean().default(false),
})
export type Candidato = z.infer<typeof candidatoSchema>

/** What the disk quota dropped: candidates `de_seq`…`ate_seq` of one camera will never come. */
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
  motivo: z.enum(['cota_de_disco']),
})
export type Lacuna = z.infer<typeof lacunaSchema>

export const registroSchema = z.discriminatedUnion('tipo', [candidatoSchema, lacunaSchema])
export type Registro = z.infer<typeof registroSchema>

/** Cloud → edge, topic `…/confirmacoes`: sent after the database commit; only this empties the outbox. */
export const confirmacaoSchema = z.object({
  v: z.literal(1),
  id: z.uuid(),
  /** `recusado`: it can never be stored (camera removed, unreadable); the edge drops it and logs why. */
  resultado: z.enum(['gravado', 'repetido', 'recusado']),
  motivo: z.string().max(300).nullable(),
  /** Cloud clock when it was sent, epoch ms: the edge measures its own drift by it. */
  enviado_em: z.int().min(0),
})
export type Confirmacao = z.infer<typeof confirmacaoSchema>
