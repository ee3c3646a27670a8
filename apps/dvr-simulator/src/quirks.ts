import { z } from 'zod'

/** Faults of real recorders that a channel reproduces on request. */
export const quirkNames = [
  /** Accepts the connection and never answers. */
  'mudo',
  /** Refuses to set up the audio track. */
  'recusa_audio',
  /** Answers requests up to DESCRIBE, and no later ones. */
  'mudo_apos_describe',
  /** Refuses all credentials. */
  'recusa_senha',
  /** Accepts PLAY and sends nothing. */
  'sem_pacotes',
  /** Correct RTP headers around random payloads. */
  'lixo',
  /** Random bytes instead of RTP packets. */
  'lixo_bruto',
  /** The SDP names an unknown codec. */
  'codec_desconhecido',
  /** Closes the connection after `quadros` frames. */
  'encerra',
  /** Stops sending after `quadros` frames; the connection stays open. */
  'trava',
  /** Typical answers of recorders for a channel without a camera. */
  'vazio_404',
  'vazio_454',
  'vazio_503',
  'sem_video',
  /** Redirects the client (302) to `para`. */
  'redireciona',
  /** Redirects the client (302) to another path of this server. */
  'redireciona_caminho',
  /** Sends headers without an end. */
  'cabecalho_sem_fim',
  /** Reports the nonce of the first right signature of each connection as expired. */
  'nonce_vencido',
  /** Refuses the first `vezes` clients although their password is right: by a status or by closing the connection. */
  'ocupado_401',
  'ocupado_403',
  'ocupado_453',
  'ocupado_503',
  'corta',
  /** The session ends after its timeout unless OPTIONS arrives; GET_PARAMETER is unsupported. */
  'sessao_options',
  /** The session ends after its timeout unless GET_PARAMETER arrives. */
  'sessao_get_parameter',
  /** The same, and the list of OPTIONS does not name GET_PARAMETER. */
  'get_parameter_oculto',
  /** Sends pictures before PLAY's answer. */
  'dados_antes_do_play',
  /** The SDP has no parameter sets. */
  'sem_parametros',
  /**
   * After `quadros` frames plays the channel's other stream in the same session, with other parameter sets and size.
   */
  'parametros_mudam',
  /** RTCP of many kinds between the packets of a picture. */
  'rtcp_intercalado',
  /** RTP time is one hour ahead after `quadros` frames, and correct again after another `quadros` frames. */
  'salto_de_tempo',
  /** Every NAL unit in fragments (FU-A, FU) of 100 bytes. */
  'pacotes_pequenos',
  /** Every picture in one packet: a single unit, or all its units together (STAP-A, AP). TCP only. */
  'pacotes_grandes',
  /** No packet has the marker bit. */
  'sem_marca',
  /** Every packet has the marker bit. */
  'marca_em_tudo',
  /** Omits the last packet of every `quadros`-th picture. */
  'perde_pacotes',
  /** Every sequence number is the same. */
  'sem_sequencia',
  /** Each picture is one NAL unit with start codes inside. */
  'macro',
  /** `Cseq: 0` in every answer to a request for this channel; no CSeq at all. */
  'cseq_zero',
  'sem_cseq',
  /** Answers OPTIONS with this status. */
  'options_404',
  'options_405',
  /** Answers SETUP over TCP with 461. */
  'udp_so',
  /** Accepts PLAY over TCP and sends packets over UDP only. */
  'tcp_sem_pacotes',
  /** Answers every SETUP over UDP with 461. */
  'tcp_so',
  /** Exchanges every second packet with the next one, and sends every third one twice. */
  'fora_de_ordem',
  /** PLAY of another session of the channel cuts the earlier one. */
  'uma_sessao_derruba',
  /** While another session of the channel plays, the ones before it lose a packet of every third picture. */
  'segunda_sessao_piora',
  /** The RTP source (SSRC, sequence number, time) changes after `quadros` frames. */
  'troca_fonte',
  /** H.264 with one keyframe in `quadros` pictures ("smart" codec). A client begins in the middle of a group. */
  'grupo_longo',
  /** The same of the main stream alone, as makers deliver their cameras. */
  'grupo_longo_principal',
] as const
export type QuirkName = (typeof quirkNames)[number]
export type EmptyAnswer = Extract<QuirkName, `vazio_${string}` | 'sem_video'>

export interface Quirk {
  readonly defeito: QuirkName
  /** Number of frames before `encerra` and `trava` take effect. */
  readonly quadros: number
  /** Number of clients that `ocupado_*` and `corta` refuse. */
  readonly vezes: number
  /** Where `redireciona` leads. */
  readonly para: string
}

/** Whether a client begins in the middle of a group of pictures. */
export const isLong = <Q extends Pick<Quirk, 'defeito'>>(quirk: Q | null): quirk is Q =>
  quirk?.defeito === 'grupo_longo' || quirk?.defeito === 'grupo_longo_principal'

const count = z.int().min(0).max(1_000_000)
const detailed = z.strictObject({
  defeito: z.enum(quirkNames),
  quadros: count.default(50),
  vezes: count.default(1),
  para: z.string().max(1024).default('rtsp://127.0.0.1/'),
})
const quirkSchema = z.union([z.enum(quirkNames).transform((defeito) => detailed.parse({ defeito })), detailed])

/** Channel number → quirk: `{"3":"lixo","4":{"defeito":"trava","quadros":30}}`. */
export const quirksSchema = z.record(z.string().regex(/^[1-9]\d{0,2}$/), quirkSchema)
export type QuirksInput = z.input<typeof quirksSchema>
