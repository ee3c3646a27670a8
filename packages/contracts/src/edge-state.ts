import { z } from 'zod'
import { janelaSchema } from './agenda.ts'
import { cameraFailures } from './camera-failures.ts'
import { relogioSchema } from './candidate.ts'
import { linhaSchema, zonasSchema } from './geometria.ts'
import { nomesIas } from './ias.ts'
import { idSchema } from './values.ts'

/** What stands inside `fontes` of a desired camera once it is decrypted. */
export const fontesSchema = z.object({ rtsp_url: z.string(), sub_rtsp_url: z.string().nullable() })
export type Fontes = z.infer<typeof fontesSchema>

const analiseSchema = z.object({
  ia: z.enum(nomesIas),
  /** Every threshold of the IA, defaults already merged in (`efetiva`). */
  calibracao: z.record(z.string(), z.union([z.number(), z.boolean()])),
  /** null: armed 24 hours. */
  agenda: janelaSchema.nullable(),
})
export type AnaliseDesejada = z.infer<typeof analiseSchema>

export const cameraDesejadaSchema = z.object({
  id: idSchema,
  nome: z.string(),
  ativa: z.boolean(),
  /** Compact JWE of `fontesSchema`, to the edge's key: a broker never holds a password in the clear. */
  fontes: z.string(),
  analises: z.array(analiseSchema),
  zonas: zonasSchema,
  linha: linhaSchema,
  fuso_horario: z.string(),
})
export type CameraDesejada = z.infer<typeof cameraDesejadaSchema>

/** Cloud → edge, topic `…/desejado`, retained: the whole configuration, not a difference. */
export const desejadoSchema = z.object({
  v: z.literal(1),
  /** Grows with every change; the edge ignores an older one. */
  versao: z.int().min(1),
  cameras: z.array(cameraDesejadaSchema),
})
export type Desejado = z.infer<typeof desejadoSchema>

export const cameraRelatadaSchema = z.object({
  id: idSchema,
  estado: z.enum(['online', 'conectando', 'falha', 'desativada']),
  /** Why it is not online, or why its connection broke while the last frame is still fresh. */
  motivo: z.enum(cameraFailures).nullable(),
  /** Short addition to the reason (a codec's name); never an address or a credential. */
  complemento: z.string().max(100).nullable(),
  /** Age of the last decoded frame when the report was made, ms: needs no agreement of clocks. */
  ultimo_frame_ha_ms: z.number().min(0).nullable(),
  codec: z.string().max(32).nullable(),
  resolucao: z.string().max(16).nullable(),
  fps: z.number().min(0).nullable(),
  /** Enabled IAs that this edge's software cannot run yet. */
  ias_sem_suporte: z.array(z.enum(nomesIas)),
})
export type CameraRelatada = z.infer<typeof cameraRelatadaSchema>

/** Edge → cloud, topic `…/relato`: on every change and every 5 s. */
export const relatoSchema = z.object({
  v: z.literal(1),
  /** Version of the desired state that runs; 0: none yet. */
  config_versao: z.int().min(0),
  versao: z.string().max(50),
  /** Edge clock, epoch ms. */
  enviado_em: z.int().min(0),
  relogio: relogioSchema,
  cameras: z.array(cameraRelatadaSchema),
  fila: z.int().min(0),
  disco: z.object({ total: z.number(), livre: z.number() }).nullable(),
  cpu: z.number().min(0).nullable(),
  temperatura: z.number().nullable(),
})
export type Relato = z.infer<typeof relatoSchema>

/** Retained on `…/presenca`; the broker publishes `online: false` as the edge's last will. */
export const presencaSchema = z.object({ v: z.literal(1), online: z.boolean() })

/**
 * Cloud → embedded broker, topic `vigia/v1/broker/certificados`, retained: the certificates in force, one per activated edge,
 * by certificate name (`edge-7`) and SHA-256 of the DER, hex. What is not in it does not get in.
 */
export const certificadosSchema = z.object({
  v: z.literal(1),
  certificados: z.record(z.string().regex(/^edge-[1-9]\d{0,9}$/), z.string().regex(/^[0-9a-f]{64}$/)),
})
export type Certificados = z.infer<typeof certificadosSchema>

/** Seconds between two reports without a change. */
export const RELATO_S = 5
