import { z } from 'zod'
import { janelaSchema } from './agenda.ts'
import { cameraFailures } from './camera-failures.ts'
import { relogioSchema } from './candidate.ts'
import { linhaSchema, zonasSchema } from './geometria.ts'
import { nomesIas } from './ias.ts'
import { idSchema, limiaresSchema, MAX_CAMERAS_EDGE } from './values.ts'

/** What stands inside `fontes` of a desired camera once it is decrypted. */
export const fontesSchema = z.object({ rtsp_url: z.string(), sub_rtsp_url: z.string().nullable() })
export type Fontes = z.infer<typeof fontesSchema>

const analiseSchema = z.object({
  ia: z.enum(nomesIas),
  /** Every threshold of the IA, defaults already merged in (`efetiva`). */
  calibracao: limiaresSchema,
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
  analises: z.array(analiseSchema).max(64),
  zonas: zonasSchema,
  linha: linhaSchema,
  fuso_horario: z.string(),
  /** Highest sequence number that the cloud has of this camera from this edge: an outbox that lost its count goes on from here. */
  ultimo_seq: z.int().min(0).default(0),
})
export type CameraDesejada = z.infer<typeof cameraDesejadaSchema>

/** Cloud → edge, topic `…/desejado`, retained: the whole configuration, not a difference. */
export const desejadoSchema = z.object({
  v: z.literal(1),
  /** Grows with every change; the edge ignores an older one. */
  versao: z.int().min(1),
  cameras: z.array(cameraDesejadaSchema).max(MAX_CAMERAS_EDGE),
  /** Largest rate at which what waited is sent, kbit/s; null: as fast as the line takes it. Live events are not held back by it. */
  limite_reenvio_kbps: z.int().min(1).nullable().default(null),
  /** Another box uses the identity of this one, as the cloud sees it: a person has to look. */
  identidade_duplicada: z.boolean().default(false),
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
  ias_sem_suporte: z.array(z.enum(nomesIas)).max(64),
  /** Enabled IAs that it could run but for a model that it can not use; the others of the camera run. */
  ias_indisponiveis: z.array(z.enum(nomesIas)).max(64).default([]),
})
export type CameraRelatada = z.infer<typeof cameraRelatadaSchema>

/** Edge → cloud, topic `…/relato`: on every change and every 5 s. */
export const relatoSchema = z.object({
  v: z.literal(1),
  /** Version of the desired state that runs; 0: none yet. */
  config_versao: z.int().min(0),
  versao: z.string().max(50),
  /** Made anew at each start of the program: two of them that take turns are two boxes with one identity. */
  instancia: z.uuid(),
  /** Edge clock, epoch ms. */
  enviado_em: z.int().min(0),
  relogio: relogioSchema,
  /** The certificate that it connected with: SHA-256 of the DER, hex, and its end, epoch ms. */
  certificado: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), vence_em: z.int().min(0) }),
  cameras: z.array(cameraRelatadaSchema).max(MAX_CAMERAS_EDGE),
  /** Events waiting on the disk. */
  fila: z.int().min(0),
  /** Events that wait in memory because the disk can not be written; 0 when all is well. */
  fila_memoria: z.int().min(0),
  /** false: the outbox lies in memory alone, and a power cut would take it. */
  disco_gravavel: z.boolean().default(true),
  disco: z.object({ total: z.number(), livre: z.number() }).nullable(),
  memoria: z.object({ total: z.number(), livre: z.number() }).nullable(),
  cpu: z.number().min(0).nullable(),
  temperatura: z.number().nullable(),
})
export type Relato = z.infer<typeof relatoSchema>

/** Retained on `…/presenca`; the broker publishes `online: false` as the edge's last will. */
export const presencaSchema = z.object({ v: z.literal(1), online: z.boolean() })

/**
 * Cloud → embedded broker, topic `vigia/v1/broker/certificados`, retained: the certificates in force by certificate name
 * (`edge-7`) and SHA-256 of the DER, hex: one per activated edge, two while one is being renewed. What is not in it does not get in.
 */
export const certificadosSchema = z.object({
  v: z.literal(2),
  certificados: z.record(z.string().regex(/^edge-[1-9]\d{0,9}$/), z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(2)),
})
export type Certificados = z.infer<typeof certificadosSchema>

/** Edge → cloud, topic `…/renovacao`: a certificate request (PKCS#10, PEM) for a new key, under the identity that it has. */
export const pedidoRenovacaoSchema = z.object({ v: z.literal(1), id: z.uuid(), csr: z.string().min(1).max(8192) })
export type PedidoRenovacao = z.infer<typeof pedidoRenovacaoSchema>

/** Longest certificate, characters; an EC P-256 one has some 800. */
const MAX_PEM = 16_384

/** Cloud → edge, topic `…/certificado`: the answer to the request of that id. The old certificate stays in force until the new one is used. */
export const renovadoSchema = z.object({
  v: z.literal(1),
  id: z.uuid(),
  certificado: z.string().max(MAX_PEM),
  /** The installation's CA, which is renewed as well. */
  ca: z.string().max(MAX_PEM),
})
export type Renovado = z.infer<typeof renovadoSchema>

/** Seconds between two reports without a change. */
export const RELATO_S = 5
