import { z } from 'zod'

/** What recorders do wrong, to be reproduced on a channel on purpose. */
export const quirkNames = [
  /** Takes the connection and never answers. */
  'mudo',
  /** Answers up to DESCRIBE, nothing after it. */
  'mudo_apos_describe',
  /** Every credential is refused. */
  'recusa_senha',
  /** Accepts PLAY and sends nothing. */
  'sem_pacotes',
  /** Correct RTP headers around random payloads. */
  'lixo',
  /** Random bytes where RTP packets belong. */
  'lixo_bruto',
  /** The description names a codec that does not exist. */
  'codec_desconhecido',
  /** Hangs up after `quadros` frames. */
  'encerra',
  /** Goes silent after `quadros` frames, connection open. */
  'trava',
  /** The ways in which recorders say that nothing is connected to a channel. */
  'vazio_404',
  'vazio_454',
  'vazio_503',
  'sem_video',
  /** Sends the client elsewhere (302), to `para`. */
  'redireciona',
  /** Headers that never end. */
  'cabecalho_sem_fim',
  /** Calls the nonce of the first right signature of each connection expired. */
  'nonce_vencido',
  /** Turns the first `vezes` clients with the right password away: with a status, or by hanging up. */
  'ocupado_401',
  'ocupado_403',
  'ocupado_453',
  'ocupado_503',
  'corta',
  /** The session ends after its time-out unless OPTIONS comes; GET_PARAMETER is not known. */
  'sessao_options',
  /** The session ends after its time-out unless GET_PARAMETER comes. */
  'sessao_get_parameter',
  /** Sends pictures before PLAY's answer. */
  'dados_antes_do_play',
  /** The description has no parameter sets. */
  'sem_parametros',
  /** After `quadros` frames plays the channel's other stream in the same session: other parameter sets, another size. */
  'parametros_mudam',
  /** RTCP of many kinds between the packets of a picture. */
  'rtcp_intercalado',
  /** RTP time is one hour ahead from `quadros` frames on, and back again after as many more. */
  'salto_de_tempo',
  /** Every NAL unit in fragments (FU-A, FU) of 100 bytes. */
  'pacotes_pequenos',
  /** Every picture in one packet: a single unit, or all its units together (STAP-A, AP). TCP only. */
  'pacotes_grandes',
  /** No packet has the marker bit. */
  'sem_marca',
  /** Every packet has the marker bit. */
  'marca_em_tudo',
  /** Leaves out the last packet of every picture whose number is a multiple of `quadros`. */
  'perde_pacotes',
  /** Every sequence number is the same. */
  'sem_sequencia',
  /** Another source (SSRC, sequence, time) after `quadros` frames. */
  'troca_fonte',
] as const
export type QuirkName = (typeof quirkNames)[number]
export type EmptyAnswer = Extract<QuirkName, `vazio_${string}` | 'sem_video'>

export interface Quirk {
  readonly defeito: QuirkName
  /** Frames sent before `encerra` and `trava` set in. */
  readonly quadros: number
  /** Clients turned away by `ocupado_*` and `corta` before the channel is served. */
  readonly vezes: number
  /** Where `redireciona` leads. */
  readonly para: string
}

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
