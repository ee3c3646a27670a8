import { z } from 'zod'
import { caixaSchema } from './eventos.ts'
import { intervaloIncertoSchema } from './hora-incerta.ts'
import { PLACA } from './placas.ts'
import { idSchema } from './values.ts'
import { coresVeiculo, direcoesPassagem, formasPlaca, tiposVeiculo } from './veiculos.ts'

const leituraSchema = z.object({
  placa: z.string().regex(PLACA),
  /** ISO 3166-1 alpha-2. */
  pais: z.string().regex(/^[A-Z]{2}$/),
  forma: z.enum(formasPlaca),
  confianca: z.number().min(0).max(1),
})

/** How well a plate can be read, in pixels of the analysed frame. */
export const qualidadePlacaSchema = z.object({
  largura_px: z.int().min(1).max(100_000),
  /** Width of the edges of the text; null: too little contrast. */
  borrao_px: z.number().min(0).max(1_000).nullable(),
  angulo_graus: z.int().min(-180).max(180),
})
export type QualidadePlaca = z.infer<typeof qualidadePlacaSchema>

/** Largest number of other readings in one record. */
export const MAX_CANDIDATAS = 5

export const midiaPassagemSchema = z.object({
  /** `veiculo`: the vehicle with its surroundings; `placa`: the plate. */
  papel: z.enum(['veiculo', 'placa']),
  tipo: z.literal('image/jpeg'),
  tamanho: z
    .int()
    .min(1)
    .max(1024 * 1024),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/**
 * The passage of one vehicle in front of one camera, in the sequence of its camera. Each record holds the whole
 * passage as known so far; of several records of one passage the highest `revisao` counts. An edge sends them only if
 * `recursos` of the desired state names `passagem`.
 */
export const registroPassagemSchema = z.object({
  tipo: z.literal('passagem'),
  v: z.literal(1),
  /** UUIDv7 of the record. The cloud stores each once. */
  id: z.uuid(),
  camera_id: idSchema,
  seq: z.int().min(1),
  /** UUID of the passage. */
  passagem: z.uuid(),
  revisao: z.int().min(1),
  relogio: z.object({ desvio_ms: z.number().nullable(), sincronizado: z.boolean() }),
  hora_incerta: intervaloIncertoSchema,
  /** Edge clock in epoch ms: first frame of the vehicle, best frame, last frame (null: it is still there). */
  inicio: z.int().min(0),
  ocorrido_em: z.int().min(0),
  fim: z.int().min(0).nullable(),
  /** null: only its plate was seen, for example because the vehicle fills the frame. */
  veiculo: z.enum(tiposVeiculo).nullable(),
  cor: z.enum(coresVeiculo).nullable().catch(null),
  confianca: z.number().min(0).max(1),
  /** Unique per camera and process start, as in `candidato`. */
  trilha: z.string().min(1).max(64),
  direcao: z.enum(direcoesPassagem).nullable(),
  /** null: no reading above `conf_placa`. */
  placa: leituraSchema.nullable(),
  /** Frames with a reading. */
  quadros: z.int().min(0),
  candidatas: z.array(leituraSchema).max(MAX_CANDIDATAS),
  conf_placa: z.number().min(0).max(1),
  /** The vehicle in the analysed frame. */
  caixa: caixaSchema,
  /** The plate in the picture `veiculo`, in fractions of it; null: not found. */
  caixa_placa: caixaSchema.nullable(),
  /** Quality of the best frame; null: no plate found, or an earlier edge. */
  qualidade: qualidadePlacaSchema.nullable().default(null).catch(null),
  /** Registry ids of detector and reader. */
  modelo: z.string().max(100),
  /** In a later revision only pictures that replace the former ones. */
  midias: z.array(midiaPassagemSchema).max(2),
  midia_descartada: z.boolean().default(false),
})
export type RegistroPassagem = z.infer<typeof registroPassagemSchema>
