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
] as const
export type QuirkName = (typeof quirkNames)[number]
export type EmptyAnswer = Extract<QuirkName, `vazio_${string}` | 'sem_video'>

export interface Quirk {
  readonly defeito: QuirkName
  /** Frames sent before `encerra` and `trava` set in. */
  readonly quadros: number
}

const DEFAULT_FRAMES = 50
const frames = z.int().min(0).max(1_000_000)
const quirkSchema = z
  .union([
    z.enum(quirkNames).transform((defeito) => ({ defeito })),
    z.strictObject({ defeito: z.enum(quirkNames), quadros: frames.optional() }),
  ])
  .transform(
    ({ defeito, ...rest }): Quirk => ({
      defeito,
      quadros: ('quadros' in rest ? rest.quadros : undefined) ?? DEFAULT_FRAMES,
    }),
  )

/** Channel number → quirk: `{"3":"lixo","4":{"defeito":"trava","quadros":30}}`. */
export const quirksSchema = z.record(z.string().regex(/^[1-9]\d{0,2}$/), quirkSchema)
export type QuirksInput = z.input<typeof quirksSchema>
