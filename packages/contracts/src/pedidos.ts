import { z } from 'zod'
import { canalSchema, portaTestadaSchema } from './cameras.ts'
import { credencial, hostSchema, idSchema, portaSchema } from './values.ts'

/** Largest time that a command may take, ms. */
export const PRAZO_MAXIMO_MS = 120_000

const acesso = { host: hostSchema, usuario: credencial(200), senha: credencial(200) }
const canaisDeGravador = {
  ...acesso,
  /** Of RTSP; of the ONVIF service (HTTP) where that is asked. */
  porta: portaSchema,
  canais: z.array(canalSchema).min(1).max(256),
}

/** What the cloud may ask an edge to do at once. It travels encrypted to the edge's key, as it may hold passwords. */
export const comandoSchema = z.discriminatedUnion('acao', [
  /** DESCRIBE of each channel; no video is opened. */
  z.object({
    acao: z.literal('sondar_canais'),
    /** URL form of the main stream (fabricantes.ts). */
    modelo: z.string().max(1024),
    ...canaisDeGravador,
  }),
  /** The streams that the device itself names for its video sources (channel 1: the first), and a DESCRIBE of each main one. */
  z.object({
    acao: z.literal('listar_canais_onvif'),
    ...canaisDeGravador,
  }),
  z.object({
    acao: z.literal('sondar_portas'),
    ...acesso,
    portas: z.array(portaSchema).min(1).max(32),
  }),
  /** One JPEG of what a camera shows now; it is the body of the answer. */
  z.object({ acao: z.literal('capturar_quadro'), camera_id: idSchema }),
])
export type Comando = z.infer<typeof comandoSchema>
export type Acao = Comando['acao']

export const canalSondadoSchema = z.object({
  canal: canalSchema,
  /** `video`: there is one; `vazia`: none on this channel; `sem_resposta`: the recorder did not say in time. */
  estado: z.enum(['video', 'vazia', 'sem_resposta']),
  codec: z.string().max(32).nullable(),
  resolucao: z.string().max(16).nullable(),
})
export type CanalSondado = z.infer<typeof canalSondadoSchema>

/** Longest path with query of a stream that an ONVIF device names, characters. */
export const MAX_CAMINHO_ONVIF = 512

/** What a device tells of the URL of a stream; host and credentials are known better by who asks. */
export const fluxoOnvifSchema = z.object({
  /** RTSP port. */
  porta: portaSchema,
  /** Path and query, in ASCII without what ends or moves an authority (`@`, `#`, RFC 3986 3.2). */
  caminho: z
    .string()
    .max(MAX_CAMINHO_ONVIF)
    .regex(/^\/[!-~]*$/)
    .regex(/^[^@#]*$/),
})
export type FluxoOnvif = z.infer<typeof fluxoOnvifSchema>

export const canalOnvifSchema = canalSondadoSchema.extend({
  /** null: the device has no such video source, or named no usable address for it. */
  principal: fluxoOnvifSchema.nullable(),
  sub: fluxoOnvifSchema.nullable(),
})
export type CanalOnvif = z.infer<typeof canalOnvifSchema>

/** What each command answers when it succeeds. */
export const resultadosSchema = {
  sondar_canais: z.object({ canais: z.array(canalSondadoSchema) }),
  listar_canais_onvif: z.object({ canais: z.array(canalOnvifSchema) }),
  sondar_portas: z.object({ portas: z.array(portaTestadaSchema) }),
  capturar_quadro: z.object({ largura: z.int(), altura: z.int() }),
} as const satisfies Record<Acao, z.ZodType>
export type Resultado<A extends Acao> = z.infer<(typeof resultadosSchema)[A]>

/** Why a command did not succeed; each has its own sentence where a person meets it. */
export const falhasPedido = [
  /** The host is, or resolves to, an address that must not be probed. */
  'endereco_recusado',
  'nome_nao_resolvido',
  'inalcancavel',
  'senha_recusada',
  /** Something answers there, but not the ONVIF media service. */
  'sem_onvif',
  /** 401 after a success, or no free connection: not a wrong password. */
  'ocupado',
  'camera_desconhecida',
  'sem_quadro',
  'comando_desconhecido',
  'prazo_esgotado',
  'cancelado',
  'interno',
] as const
export type FalhaPedido = (typeof falhasPedido)[number]

/** Cloud → edge, topic `…/pedidos`. The id correlates the answer; the same id is never run twice. */
export const pedidoSchema = z.discriminatedUnion('tipo', [
  z.object({
    v: z.literal(1),
    tipo: z.literal('comando'),
    id: z.uuid(),
    /** Time from its arrival until nobody waits for the answer any more. */
    prazo_ms: z.int().min(1).max(PRAZO_MAXIMO_MS),
    /** Compact JWE of `comandoSchema`, to the edge's key. */
    comando: z.string().max(64 * 1024),
  }),
  z.object({ v: z.literal(1), tipo: z.literal('cancelamento'), id: z.uuid() }),
])
export type Pedido = z.infer<typeof pedidoSchema>

/** Edge → cloud, topic `…/respostas`: header of the answer; a picture follows it as raw bytes. */
export const respostaSchema = z.discriminatedUnion('ok', [
  z.object({ v: z.literal(1), id: z.uuid(), ok: z.literal(true), resultado: z.unknown() }),
  z.object({ v: z.literal(1), id: z.uuid(), ok: z.literal(false), falha: z.enum(falhasPedido) }),
])
export type Resposta = z.infer<typeof respostaSchema>
