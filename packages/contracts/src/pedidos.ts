import { z } from 'zod'
import { prioridadeSchema } from './ao-vivo.ts'
import { canalSchema, portaTestadaSchema } from './cameras.ts'
import { canalOnvifSchema, canalSondadoSchema } from './canais-sondados.ts'
import { relogioSchema } from './candidate.ts'
import { causaSchema } from './causa.ts'
import { chamadaOnvifSchema } from './chamada-onvif.ts'
import { chamadaGravadorSchema, MAX_CHAMADAS_GRAVADOR } from './diagnostico-gravador.ts'
import { caixaSchema } from './eventos.ts'
import { buscaGravacaoSchema, listaGravacaoSchema } from './gravacoes.ts'
import { PROVA_ARMADA_S } from './provas.ts'
import { MAX_PRESETS, movimentoPtzSchema, presetSchema } from './ptz.ts'
import { fluxoSchema } from './transmissao.ts'
import { credencial, hostSchema, idSchema, MAX_CAMERAS_EDGE, portaSchema } from './values.ts'
import { alcanceVarreduraSchema, equipamentoSchema, MAX_EQUIPAMENTOS_VARREDURA } from './varredura.ts'

/** Longest duration of a command. */
export const PRAZO_MAXIMO_MS = 120_000

/** Largest number of canais and ports in one command and its answer. */
const MAX_CANAIS_PEDIDO = 256
const MAX_PORTAS_PEDIDO = 32

const acesso = {
  host: hostSchema,
  usuario: credencial(200),
  senha: credencial(200),
  /** ONVIF: the login contains the password itself. Older edges ignore it. */
  senha_em_texto: z.literal(true).optional(),
}
const canaisDeGravador = {
  ...acesso,
  /** Port of RTSP, or of the ONVIF service (HTTP) in an ONVIF command. */
  porta: portaSchema,
  canais: z.array(canalSchema).min(1).max(MAX_CANAIS_PEDIDO),
}

/** Port of RTSP in place of the one that an ONVIF device reports; absent: that one. Older edges ignore it. */
const portaDoVideo = { porta_rtsp: portaSchema.optional() }

/** Longer side of a picture, in pixels; smaller pictures are not scaled. */
export const LADO_MINIMO = 160
export const LADO_MAXIMO = 1920
const ladoSchema = z.int().min(LADO_MINIMO).max(LADO_MAXIMO)

/** Largest number of cameras of one edge in the mosaics of all viewers. */
export const MAX_MINIATURAS = 256

/** Largest number of clips that one command discards. */
export const MAX_CLIPES_PEDIDO = 64

/** Token for one upload or one stream of an edge. */
const tokenEnvioSchema = z
  .string()
  .max(43)
  .regex(/^[A-Za-z0-9_-]{43}$/)

/** Commands of the cloud to an edge. They may contain passwords and are therefore encrypted for the edge's key. */
export const comandoSchema = z.discriminatedUnion('acao', [
  /** DESCRIBE of each canal, without opening video. */
  z.object({
    acao: z.literal('sondar_canais'),
    /** URL form of the main stream (fabricantes.ts). */
    modelo: z.string().max(1024),
    ...canaisDeGravador,
  }),
  /**
   * Lists the streams that the device reports for its video sources (canal 1: the first), and sends a DESCRIBE for each
   * main stream.
   */
  z.object({
    acao: z.literal('listar_canais_onvif'),
    ...canaisDeGravador,
    ...portaDoVideo,
  }),
  z.object({
    acao: z.literal('sondar_portas'),
    ...acesso,
    portas: z.array(portaSchema).min(1).max(MAX_PORTAS_PEDIDO),
  }),
  /**
   * One current JPEG of a camera, as the body of the answer. An edge without support for `lado_maximo` sends the full
   * size.
   */
  z.object({ acao: z.literal('capturar_quadro'), camera_id: idSchema, lado_maximo: ladoSchema.optional() }),
  /**
   * Sends frames of one camera on the topic `…/aovivo` until `parar_ao_vivo`, or until `validade_ms` pass without a
   * repetition. The limit bounds the cost of a lost viewer for the uplink of a site.
   */
  z.object({
    acao: z.literal('iniciar_ao_vivo'),
    camera_id: idSchema,
    quadros_por_s: z.number().min(0.2).max(10),
    lado_maximo: ladoSchema,
    validade_ms: z.int().min(1_000).max(60_000),
  }),
  z.object({ acao: z.literal('parar_ao_vivo'), camera_id: idSchema }),
  /**
   * Sends small pictures of these cameras on the topic `…/aovivo`, each at most every `cada_ms`. The list replaces that
   * of the previous command; an empty one ends the pictures, and so do `validade_ms` without a repetition.
   */
  z.object({
    acao: z.literal('enviar_miniaturas'),
    cameras: z.array(z.object({ camera_id: idSchema, lado_maximo: ladoSchema })).max(MAX_MINIATURAS),
    cada_ms: z.int().min(1_000).max(60_000),
    validade_ms: z.int().min(1_000).max(60_000),
  }),
  /** Closes the stream and opens it again immediately. */
  z.object({ acao: z.literal('reiniciar_camera'), camera_id: idSchema }),
  /** Arms every analysis of a camera at any hour, until `validade_ms` have passed; 0 ends it. Older edges refuse it. */
  z.object({
    acao: z.literal('armar_prova'),
    camera_id: idSchema,
    validade_ms: z
      .int()
      .min(0)
      .max(PROVA_ARMADA_S * 1000),
  }),
  z.object({ acao: z.literal('diagnosticar') }),
  /** Lists the networks that `varrer_rede` would scan. Sends nothing to them. */
  z.object({ acao: z.literal('listar_redes') }),
  /** Searches for recorders and cameras in the private networks of the edge's own interfaces. */
  z.object({ acao: z.literal('varrer_rede') }),
  /** One JPEG of a canal that no camera reads yet, as the body of the answer. */
  z.object({
    acao: z.literal('capturar_canal'),
    ...acesso,
    porta: portaSchema,
    ...portaDoVideo,
    canal: canalSchema,
    /** URL forms in order of preference (fabricantes.ts); empty: the device reports its streams by ONVIF. */
    modelos: z.array(z.string().max(1024)).max(2),
    lado_maximo: ladoSchema,
  }),
  /**
   * Uploads the file of a clip by tus 1.0.0: POST to `caminho` below the address of the cloud, with `Authorization:
   * Bearer <token>` and the metadata `clipe`. The answer says that the edge holds the clip and has queued it.
   */
  z.object({
    acao: z.literal('enviar_clipe'),
    clipe: z.uuid(),
    caminho: z
      .string()
      .max(256)
      .regex(/^\/[a-z0-9/-]+$/),
    token: tokenEnvioSchema,
  }),
  /**
   * Fetches a part of the archive of the camera's recorder to the disk of the edge. Repetitions with the same `pedido`
   * report the progress; the fetch ends when `validade_ms` pass without one. `enviar_clipe` with `pedido` as the clip
   * uploads the file, and `descartar_clipes` deletes it or ends the fetch.
   */
  z.object({
    acao: z.literal('buscar_gravacao'),
    pedido: z.uuid(),
    camera_id: idSchema,
    /** True time, in epoch ms; at most MAX_GRAVACAO_MS. */
    inicio: z.int().min(0),
    fim: z.int().min(0),
    validade_ms: z.int().min(1_000).max(600_000),
  }),
  /** Lists what the camera's recorder and the edge hold; at most MAX_LISTA_GRAVACAO_MS. True time, in epoch ms. */
  z.object({
    acao: z.literal('listar_gravacao'),
    camera_id: idSchema,
    inicio: z.int().min(0),
    fim: z.int().min(0),
  }),
  /** Runs each read-only call on the recorder of a camera. */
  z.object({ acao: z.literal('diagnosticar_gravador'), camera_id: idSchema }),
  /** The cloud needs no copy of these clips: the edge deletes them. Unknown ones are no failure. */
  z.object({ acao: z.literal('descartar_clipes'), clipes: z.array(z.uuid()).min(1).max(MAX_CLIPES_PEDIDO) }),
  /**
   * Sends a stream as CMAF parts (transmissao.ts) over a WebSocket to `caminho` below the address of the cloud, with
   * `Authorization: Bearer <token>`. It ends with `parar_transmissao`, or when `validade_ms` pass without a repetition.
   * A higher `epoca` replaces the stream of a lower one. A repetition may carry a new token for the same epoch.
   */
  z.object({
    acao: z.literal('transmitir'),
    camera_id: idSchema,
    fluxo: fluxoSchema,
    epoca: z.int().min(1),
    caminho: z
      .string()
      .max(256)
      .regex(/^\/[a-z0-9/-]+\?epoca=\d+$/),
    token: tokenEnvioSchema,
    /** Duration of one part. */
    parte_ms: z.int().min(100).max(2_000),
    /** `mosaico`: gives way to opened cameras when the uplink is short. Absent: `aberta`. */
    prioridade: prioridadeSchema.optional(),
    validade_ms: z.int().min(1_000).max(60_000),
  }),
  z.object({ acao: z.literal('parar_transmissao'), camera_id: idSchema, fluxo: fluxoSchema }),
  /**
   * Moves a PTZ camera by ONVIF. Away from the home position the edge pauses the analyses that need it. `porta`: of the
   * ONVIF service.
   */
  z.object({
    acao: z.literal('mover_camera'),
    camera_id: idSchema,
    ...acesso,
    porta: portaSchema,
    canal: canalSchema,
    movimento: movimentoPtzSchema,
  }),
  /** Positions stored in a PTZ camera. */
  z.object({ acao: z.literal('listar_presets'), ...acesso, porta: portaSchema, canal: canalSchema }),
  /**
   * Asks an ONVIF device for a keyframe of these streams (SetSynchronizationPoint). Only for an edge that reports
   * `espera_quadro_chave`: earlier ones do not know it. `porta`: of the ONVIF service.
   */
  z.object({
    acao: z.literal('pedir_quadro_chave'),
    camera_id: idSchema,
    ...acesso,
    porta: portaSchema,
    canal: canalSchema,
    fluxos: z.array(fluxoSchema).min(1).max(2),
  }),
])
/** The sealed content. It includes the id and the time of the command, so that a replay fails. */
export const comandoLacradoSchema = z.object({
  id: z.uuid(),
  /** Cloud clock, in epoch ms. */
  pedido_em: z.int().min(0),
  comando: comandoSchema,
})
export type Comando = z.infer<typeof comandoSchema>
export type Acao = Comando['acao']

/** State of an edge for remote repair. Contains no address, no password and no picture. */
export const diagnosticoSchema = z
  .object({
    versao: z.string(),
    node: z.string(),
    sistema: z.string(),
    /** Seconds since the start of the program and of the machine. */
    ligado_ha_s: z.number(),
    caixa_ligada_ha_s: z.number(),
    /** Memory of the program, in bytes. */
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
      /** Number of connections since the start of the program. */
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

/** Largest number of objects that a live frame names: they are part of its header in the browser. */
export const MAX_CAIXAS_AO_VIVO = 24

/** Edge → cloud, topic `…/aovivo`, QoS 0: header of one live frame; the JPEG follows as raw bytes. */
export const quadroAoVivoSchema = z.object({
  v: z.literal(1),
  camera_id: idSchema,
  largura: z.int().min(1),
  altura: z.int().min(1),
  /** Objects of the last inference before this frame. Edges of earlier releases do not send them. */
  caixas: z.array(caixaSchema).max(MAX_CAIXAS_AO_VIVO).optional(),
  /** The picture answers `enviar_miniaturas`. Absent: a frame of a live view, as from an older edge. */
  miniatura: z.literal(true).optional(),
  /** Something moves in the picture; absent: an edge of an earlier release. */
  movimento: z.boolean().optional(),
})
export type QuadroAoVivo = z.infer<typeof quadroAoVivoSchema>

/** Result of each successful command. */
export const resultadosSchema = {
  sondar_canais: z.object({ canais: z.array(canalSondadoSchema).max(MAX_CANAIS_PEDIDO) }),
  listar_canais_onvif: z.object({ canais: z.array(canalOnvifSchema).max(MAX_CANAIS_PEDIDO) }),
  sondar_portas: z.object({ portas: z.array(portaTestadaSchema).max(MAX_PORTAS_PEDIDO) }),
  capturar_quadro: z.object({ largura: z.int(), altura: z.int() }),
  iniciar_ao_vivo: z.object({}),
  parar_ao_vivo: z.object({}),
  enviar_miniaturas: z.object({}),
  reiniciar_camera: z.object({}),
  armar_prova: z.object({}),
  diagnosticar: z.object({ diagnostico: diagnosticoSchema }),
  listar_redes: alcanceVarreduraSchema,
  varrer_rede: z.object({ equipamentos: z.array(equipamentoSchema).max(MAX_EQUIPAMENTOS_VARREDURA) }),
  capturar_canal: z.object({ largura: z.int(), altura: z.int() }),
  enviar_clipe: z.object({}),
  descartar_clipes: z.object({}),
  buscar_gravacao: buscaGravacaoSchema,
  listar_gravacao: listaGravacaoSchema,
  diagnosticar_gravador: z.object({ chamadas: z.array(chamadaGravadorSchema).max(MAX_CHAMADAS_GRAVADOR) }),
  transmitir: z.object({}),
  parar_transmissao: z.object({}),
  /** `fora`: the camera is not at its home position. */
  mover_camera: z.object({ fora: z.boolean() }),
  /** `pedido`: false: the device was asked less than KEYFRAME_REQUEST_MS ago. */
  pedir_quadro_chave: z.object({ pedido: z.boolean() }),
  listar_presets: z.object({ presets: z.array(presetSchema).max(MAX_PRESETS) }),
} as const satisfies Record<Acao, z.ZodType>
export type Resultado<A extends Acao> = z.infer<(typeof resultadosSchema)[A]>

/** Failures of a command; the API has a sentence for each. */
export const falhasPedido = [
  /** The host is, or resolves to, an address that must not be probed. */
  'endereco_recusado',
  'nome_nao_resolvido',
  'inalcancavel',
  'senha_recusada',
  /** The port answers, but not as an ONVIF media service. */
  'sem_onvif',
  /** The device answered 401 after a success, or has no free connection; the password is not wrong. */
  'ocupado',
  'camera_desconhecida',
  'sem_quadro',
  /** The owner of the edge has turned network scans off. */
  'varredura_desligada',
  /** The edge has no interface with a private IPv4 network. */
  'sem_rede_local',
  /** The edge does not hold the clip: it was never cut there, or has expired. */
  'clipe_desconhecido',
  /** The camera has no such stream. */
  'fluxo_inexistente',
  /** The recorder has no free connection for the stream. */
  'sem_conexao_livre',
  /** The camera has masks, and the edge has no encoder for the copy. */
  'sem_codificador',
  /** The uplink of the edge carries no further stream. */
  'sem_banda',
  /** The device reports no PTZ for this canal. */
  'sem_ptz',
  /** The device refused the move: for example, it has no home position. */
  'ptz_recusado',
  /** The device refused the request for a keyframe. */
  'sem_sincronizacao',
  'comando_desconhecido',
  /** The command ran before, or is so much older than the newest one that it may have run before. */
  'comando_repetido',
  /** The edge cannot store the id of the command, and therefore does not run it. */
  'disco_indisponivel',
  'prazo_esgotado',
  'cancelado',
  'interno',
] as const
export type FalhaPedido = (typeof falhasPedido)[number]

/** Cloud → edge, topic `…/pedidos`. The id correlates the answer; an edge never runs the same id twice. */
export const pedidoSchema = z.discriminatedUnion('tipo', [
  z.object({
    v: z.literal(1),
    tipo: z.literal('comando'),
    id: z.uuid(),
    /** Time limit from its arrival, after which the cloud ignores the answer. */
    prazo_ms: z.int().min(1).max(PRAZO_MAXIMO_MS),
    /** Compact JWE of `comandoLacradoSchema` for the edge's key. */
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
    /** With `comando_repetido`: time of the newest command that this edge received, by the clock of its sender. */
    mais_novo: z.int().min(0).optional(),
    /** With `inalcancavel`: the port of RTSP that an ONVIF device reports, and that did not answer. */
    porta: portaSchema.optional(),
    /** Absent: not by ONVIF, or an older edge. */
    onvif: chamadaOnvifSchema.optional().catch(undefined),
    /** Absent: another failure, or an older edge. */
    causa: causaSchema.optional().catch(undefined),
  }),
])
export type Resposta = z.infer<typeof respostaSchema>
