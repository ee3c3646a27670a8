import { z } from 'zod'
import { canalSchema, portaTestadaSchema } from './cameras.ts'
import { relogioSchema } from './candidate.ts'
import { credencial, hostSchema, idSchema, MAX_CAMERAS_EDGE, portaSchema } from './values.ts'

/** Largest time that a command may take, ms. */
export const PRAZO_MAXIMO_MS = 120_000

/** Channels and ports that one command may ask for, and one answer tell of. */
const MAX_CANAIS_PEDIDO = 256
const MAX_PORTAS_PEDIDO = 32

const acesso = { host: hostSchema, usuario: credencial(200), senha: credencial(200) }
const canaisDeGravador = {
  ...acesso,
  /** Of RTSP; of the ONVIF service (HTTP) where that is asked. */
  porta: portaSchema,
  canais: z.array(canalSchema).min(1).max(MAX_CANAIS_PEDIDO),
}

/** Longer side of a picture, pixels; one that is smaller stays as it is. */
export const LADO_MINIMO = 160
export const LADO_MAXIMO = 1920
const ladoSchema = z.int().min(LADO_MINIMO).max(LADO_MAXIMO)

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
    portas: z.array(portaSchema).min(1).max(MAX_PORTAS_PEDIDO),
  }),
  /** One JPEG of what a camera shows now; it is the body of the answer. An edge that does not know `lado_maximo` sends it whole. */
  z.object({ acao: z.literal('capturar_quadro'), camera_id: idSchema, lado_maximo: ladoSchema.optional() }),
  /**
   * Frames of one camera on the topic `…/aovivo`, until `validade_ms` have passed without another such command for the same camera,
   * or `parar_ao_vivo`: a viewer who vanishes costs a site's uplink no more than that.
   */
  z.object({
    acao: z.literal('iniciar_ao_vivo'),
    camera_id: idSchema,
    quadros_por_s: z.number().min(0.2).max(10),
    lado_maximo: ladoSchema,
    validade_ms: z.int().min(1_000).max(60_000),
  }),
  z.object({ acao: z.literal('parar_ao_vivo'), camera_id: idSchema }),
  /** The stream is closed and opened again, at once. */
  z.object({ acao: z.literal('reiniciar_camera'), camera_id: idSchema }),
  z.object({ acao: z.literal('diagnosticar') }),
])
/** What is sealed: bound to the id that it travels under and to the moment it was asked, so that it can not be replayed later. */
export const comandoLacradoSchema = z.object({
  id: z.uuid(),
  /** Cloud clock, epoch ms. */
  pedido_em: z.int().min(0),
  comando: comandoSchema,
})
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

/** How a box is, for whoever has to mend it from afar. Holds no address, no password and no picture. */
export const diagnosticoSchema = z
  .object({
    versao: z.string(),
    node: z.string(),
    sistema: z.string(),
    /** Seconds since the program, and since the box, started. */
    ligado_ha_s: z.number(),
    caixa_ligada_ha_s: z.number(),
    /** Bytes that the program itself uses. */
    memoria_processo: z.number(),
    memoria: z.object({ total: z.number(), livre: z.number() }).nullable(),
    disco: z.object({ total: z.number(), livre: z.number() }).nullable(),
    cpu: z.number().nullable(),
    temperatura: z.number().nullable(),
    relogio: relogioSchema,
    fila: z.object({
      registros: z.int(),
      bytes: z.number(),
      por_camera: z
        .array(z.object({ camera_id: z.int(), registros: z.int(), ultimo_seq: z.int() }))
        .max(MAX_CAMERAS_EDGE),
    }),
    ligacao: z.object({
      conectado: z.boolean(),
      /** Connections made since the program started. */
      conexoes: z.int(),
      ultima_queda: z.string().max(200).nullable(),
    }),
    processos: z
      .array(z.object({ pid: z.int().nullable(), cameras: z.array(z.int()).max(MAX_CAMERAS_EDGE), falhas: z.int() }))
      .max(MAX_CAMERAS_EDGE),
    cameras: z
      .array(z.object({ id: z.int(), estado: z.string(), motivo: z.string().nullable(), fps: z.number().nullable() }))
      .max(MAX_CAMERAS_EDGE),
    /** The last warnings and errors of the log, newest last. */
    avisos: z.array(z.object({ em: z.int(), nivel: z.string(), texto: z.string().max(300) })).max(50),
  })
  .meta({ id: 'Diagnostico' })
export type Diagnostico = z.infer<typeof diagnosticoSchema>

/** Edge → cloud, topic `…/aovivo`, QoS 0: header of one live frame; the JPEG follows as raw bytes. */
export const quadroAoVivoSchema = z.object({
  v: z.literal(1),
  camera_id: idSchema,
  largura: z.int().min(1),
  altura: z.int().min(1),
})
export type QuadroAoVivo = z.infer<typeof quadroAoVivoSchema>

/** What each command answers when it succeeds. */
export const resultadosSchema = {
  sondar_canais: z.object({ canais: z.array(canalSondadoSchema).max(MAX_CANAIS_PEDIDO) }),
  listar_canais_onvif: z.object({ canais: z.array(canalOnvifSchema).max(MAX_CANAIS_PEDIDO) }),
  sondar_portas: z.object({ portas: z.array(portaTestadaSchema).max(MAX_PORTAS_PEDIDO) }),
  capturar_quadro: z.object({ largura: z.int(), altura: z.int() }),
  iniciar_ao_vivo: z.object({}),
  parar_ao_vivo: z.object({}),
  reiniciar_camera: z.object({}),
  diagnosticar: z.object({ diagnostico: diagnosticoSchema }),
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
  /** It ran before, or was asked so long before what the edge has seen since that it may have run before. */
  'comando_repetido',
  /** The edge can not write down that it ran this command, and runs it at no other price. */
  'disco_indisponivel',
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
    /** Compact JWE of `comandoLacradoSchema`, to the edge's key. */
    comando: z.string().max(64 * 1024),
  }),
  z.object({ v: z.literal(1), tipo: z.literal('cancelamento'), id: z.uuid() }),
])
export type Pedido = z.infer<typeof pedidoSchema>

/** Edge → cloud, topic `…/respostas`: header of the answer; a picture follows it as raw bytes. */
export const respostaSchema = z.discriminatedUnion('ok', [
  z.object({ v: z.literal(1), id: z.uuid(), ok: z.literal(true), resultado: z.unknown() }),
  z.object({
    v: z.literal(1),
    id: z.uuid(),
    ok: z.literal(false),
    falha: z.enum(falhasPedido),
    /** With `comando_repetido`: when the newest command was asked that this edge has seen, by the clock of whoever asked. */
    mais_novo: z.int().min(0).optional(),
  }),
])
export type Resposta = z.infer<typeof respostaSchema>
