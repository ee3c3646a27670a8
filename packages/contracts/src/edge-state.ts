import { z } from 'zod'
import { janelaSchema } from './agenda.ts'
import { audioRelatadoSchema } from './audio.ts'
import { type CameraFailure, cameraFailures } from './camera-failures.ts'
import { relogioSchema } from './candidate.ts'
import { causaSchema } from './causa.ts'
import { linhaSchema, zonasSchema } from './geometria.ts'
import {
  discoGravacaoSchema,
  gravacaoApagadaSchema,
  gravacaoRelatadaSchema,
  orcamentoGravacaoSchema,
} from './gravacao-continua.ts'
import { estadosHora } from './hora-incerta.ts'
import { feriadosDesejadosSchema, janelasHorarioSchema } from './horarios.ts'
import { nomesIas } from './ias.ts'
import { fluxoSchema } from './transmissao.ts'
import { leituraSchema, perdasSchema, transporteSchema } from './transporte.ts'
import { idSchema, limiaresSchema, MAX_CAMERAS_EDGE } from './values.ts'

/** The decrypted content of `fontes` of a desired camera. */
export const fontesSchema = z.object({ rtsp_url: z.string(), sub_rtsp_url: z.string().nullable() })
export type Fontes = z.infer<typeof fontesSchema>

const analiseSchema = z.object({
  ia: z.enum(nomesIas),
  /** All thresholds of the IA with its defaults merged (`efetiva`). */
  calibracao: limiaresSchema,
  /** null: armed 24 hours. */
  agenda: janelaSchema.nullable(),
  /** The windows, where `agenda` is only the smallest one that contains them. Older edges ignore it. */
  horarios: janelasHorarioSchema.optional(),
})
export type AnaliseDesejada = z.infer<typeof analiseSchema>

/** Plates of one camera. Lists of plates are matched in the cloud and never reach an edge. */
const modoBDesejadoSchema = z.object({
  /** Where vehicles count; empty: the whole frame. */
  regiao: zonasSchema,
  /** A reading below it is a candidate. */
  conf_placa: z.number().min(0).max(1),
})
export type ModoBDesejado = z.infer<typeof modoBDesejadoSchema>

export const cameraDesejadaSchema = z.object({
  id: idSchema,
  nome: z.string(),
  ativa: z.boolean(),
  /** Compact JWE of `fontesSchema` for the edge's key: a broker never holds a plain password. */
  fontes: z.string(),
  analises: z.array(analiseSchema).max(64),
  zonas: zonasSchema,
  linha: linhaSchema,
  /** Privacy masks in the form of `zonas`; absent: none. Older edges ignore them. */
  mascaras: zonasSchema.optional(),
  /** The edge records the sub stream on its disk. Absent: no, and the edge deletes its recordings of the camera. */
  gravacao_continua: z.literal(true).optional(),
  /** Live video and clips have the audio of the camera. Absent: the edge does not request it from the camera. */
  audio: z.literal(true).optional(),
  /** Absent: automatic. Older edges ignore it. */
  transporte: transporteSchema.exclude(['automatico']).optional(),
  /** Parts of the recordings to delete. They stay in the list. */
  gravacao_apagada: gravacaoApagadaSchema.optional(),
  /** Declared limit of connections of its gravador; absent: unknown. Older edges ignore it. */
  max_conexoes: z.int().min(1).optional(),
  /** Absent: no passages are recorded. Older edges ignore it. */
  modo_b: modoBDesejadoSchema.optional(),
  fuso_horario: z.string(),
  /** Dates that count as another weekday; absent: none. Older edges ignore it. */
  feriados: feriadosDesejadosSchema.optional(),
  /**
   * Highest sequence number of this camera that the cloud has from this edge. An outbox that lost its numbers continues
   * from it.
   */
  ultimo_seq: z.int().min(0).default(0),
})
export type CameraDesejada = z.infer<typeof cameraDesejadaSchema>

/** Reasons of a camera that an edge reports only to a cloud that announces them. */
export const motivosAnunciados = [
  'video_grande_demais',
  'aguardando_quadro_chave',
  'sem_quadro_chave',
  'transporte_recusado',
  'redirecionado',
  'video_danificado',
  'sem_pacote_video',
] as const satisfies readonly CameraFailure[]

/** Cloud → edge, topic `…/desejado`, retained: the whole configuration, not a difference. */
export const desejadoSchema = z.object({
  v: z.literal(1),
  /** Increases with each change; the edge ignores an older version. */
  versao: z.int().min(1),
  cameras: z.array(cameraDesejadaSchema).max(MAX_CAMERAS_EDGE),
  /** Largest rate of the backlog lane, in kbit/s; null: unlimited. It does not limit live events. */
  limite_reenvio_kbps: z.int().min(1).nullable().default(null),
  /** The cloud detected a second edge with the same identity; a person must resolve this. */
  identidade_duplicada: z.boolean().default(false),
  /**
   * Kinds of extras (extras.ts), and `passagem`, that the cloud stores, and reasons of a report
   * (motivosAnunciados) that earlier clouds do not know. Unknown ones are ignored.
   */
  recursos: z.array(z.string().max(64)).max(32).default([]),
  /** Largest size of the recordings of all cameras; absent: GRAVACAO_CONTINUA_MB_PADRAO. */
  gravacao_continua_mb: orcamentoGravacaoSchema.optional(),
})
export type Desejado = z.infer<typeof desejadoSchema>

/** A stream whose pictures are of no use before its next keyframe. `ha_ms`: since when. */
const esperaQuadroChaveSchema = z.object({ fluxo: fluxoSchema, ha_ms: z.int().min(0) })
export type EsperaQuadroChave = z.infer<typeof esperaQuadroChaveSchema>

export const cameraRelatadaSchema = z.object({
  id: idSchema,
  estado: z.enum(['online', 'conectando', 'falha', 'desativada']),
  /** Reason why the camera is not online, or why its connection broke while the last frame is still recent. */
  motivo: z.enum(cameraFailures).nullable(),
  /** Short addition to the reason (a codec's name, a server); never a credential or a path. */
  complemento: z.string().max(100).nullable(),
  /** Age of the last decoded frame at the time of the report, in ms; independent of the clock offset. */
  ultimo_frame_ha_ms: z.number().min(0).nullable(),
  codec: z.string().max(32).nullable(),
  resolucao: z.string().max(16).nullable(),
  fps: z.number().min(0).nullable(),
  /** Mean time between two keyframes, ms. Older edges do not send it, nor the rate. */
  quadro_chave_ms: z.number().min(0).nullable().default(null),
  taxa_kbps: z.number().min(0).nullable().default(null),
  /** Time since the last keyframe, or since the first picture if none came; null: the camera is not read. */
  quadro_chave_ha_ms: z.number().min(0).nullable().optional(),
  /**
   * Streams that wait for a keyframe, for which the command `pedir_quadro_chave` can ask the device. Absent: none, the
   * device was asked less than KEYFRAME_REQUEST_MS ago, or an edge that does not know the command.
   */
  espera_quadro_chave: z.array(esperaQuadroChaveSchema).max(2).optional(),
  /** Enabled IAs that the version of this edge does not support. */
  ias_sem_suporte: z.array(z.enum(nomesIas)).max(64),
  /** Enabled IAs without a usable model on this edge; the other IAs of the camera run. */
  ias_indisponiveis: z.array(z.enum(nomesIas)).max(64).default([]),
  /** Whether the camera has masks in the configuration in use. Edges that do not know masks do not send it. */
  mascarada: z.boolean().optional(),
  /** The connection ends with this period; absent: not regularly, or an older edge. */
  cai_a_cada_s: z.int().min(1).optional(),
  /** Largest number of connections of the edge to its device, as learned; absent: none learned, or an older edge. */
  conexoes: z.int().min(1).optional(),
  /** The main stream is read in its place; absent: it is not, a reason of a later edge, or an older edge. */
  secundario_falhou: causaSchema.optional().catch(undefined),
  /** How the edge reads the stream; absent: an older edge, or not known yet. */
  leitura: leituraSchema.optional(),
  /** Absent: not over UDP, or an older edge. */
  perdas: perdasSchema.optional().catch(undefined),
  /** Absent: an edge that cannot send audio. */
  audio: audioRelatadoSchema.optional(),
  /** Absent: the camera is not to be recorded, or the edge cannot record. */
  gravacao: gravacaoRelatadaSchema.optional(),
})
export type CameraRelatada = z.infer<typeof cameraRelatadaSchema>

/** Edge → cloud, topic `…/relato`: on each change and every 5 s. */
export const relatoSchema = z.object({
  v: z.literal(1),
  /** Version of the desired state in use; 0: none yet. */
  config_versao: z.int().min(0),
  versao: z.string().max(50),
  /** New at each start of the program. Two alternating values mean that two edges use one identity. */
  instancia: z.uuid(),
  /** Edge clock, in epoch ms. */
  enviado_em: z.int().min(0),
  relogio: relogioSchema,
  /** The certificate of the connection: SHA-256 of the DER, hex, and its expiry, in epoch ms. */
  certificado: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), vence_em: z.int().min(0) }),
  cameras: z.array(cameraRelatadaSchema).max(MAX_CAMERAS_EDGE),
  /** Number of events that wait on the disk. */
  fila: z.int().min(0),
  /** Number of events that wait in memory because the disk is not writable; normally 0. */
  fila_memoria: z.int().min(0),
  /** false: the outbox is only in memory, and a power failure would lose it. */
  disco_gravavel: z.boolean().default(true),
  disco: z.object({ total: z.number(), livre: z.number() }).nullable(),
  memoria: z.object({ total: z.number(), livre: z.number() }).nullable(),
  cpu: z.number().min(0).nullable(),
  temperatura: z.number().nullable(),
  /** Absent: an edge that cannot record. */
  gravacao_continua: discoGravacaoSchema.optional(),
  /** State of the time, and how long it lasts, in s of the monotonic clock; absent: an older edge. */
  hora: z
    .object({ estado: z.enum(estadosHora), ha_s: z.int().min(0) })
    .optional()
    .catch(undefined),
  /** false: the edge lacks the package that decodes video, so that no camera is read. Absent: an older edge. */
  pacote_video: z.boolean().optional().catch(undefined),
})
export type Relato = z.infer<typeof relatoSchema>

/** Retained on `…/presenca`; the broker publishes `online: false` as the edge's last will. */
export const presencaSchema = z.object({ v: z.literal(1), online: z.boolean() })

/**
 * Cloud → embedded broker, topic `vigia/v1/broker/certificados`, retained: the certificates in force. Keys are
 * certificate names (`edge-7`), values SHA-256 of the DER, hex: one per activated edge, two during a renewal. The
 * broker refuses all other certificates.
 */
export const certificadosSchema = z.object({
  v: z.literal(2),
  /** A cloud with several replicas sends it. The broker keeps the list with the highest number, in any order. */
  versao: z.number().int().min(0).optional(),
  certificados: z.record(z.string().regex(/^edge-[1-9]\d{0,9}$/), z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(2)),
  /**
   * Sizes of the Empresas in the order of `certificados`; negative: its first edge begins another root Empresa. Absent:
   * of a cloud of before it.
   */
  grupos: z.array(z.number().int()).max(40_000).optional(),
})
export type Certificados = z.infer<typeof certificadosSchema>

/** Edge → cloud, topic `…/renovacao`: a certificate request (PKCS#10, PEM) for a new key with the same identity. */
export const pedidoRenovacaoSchema = z.object({ v: z.literal(1), id: z.uuid(), csr: z.string().min(1).max(8192) })
export type PedidoRenovacao = z.infer<typeof pedidoRenovacaoSchema>

/** Longest certificate, in characters; one with EC P-256 has about 800. */
const MAX_PEM = 16_384

/**
 * Cloud → edge, topic `…/certificado`: the answer to the request of that id. The old certificate stays in force until
 * the edge first uses the new one.
 */
export const renovadoSchema = z.object({
  v: z.literal(1),
  id: z.uuid(),
  certificado: z.string().max(MAX_PEM),
  /** The CA of the installation, which is renewed too. */
  ca: z.string().max(MAX_PEM),
})
export type Renovado = z.infer<typeof renovadoSchema>

/** Seconds between two reports without a change. */
export const RELATO_S = 5
