import { z } from 'zod'
import { instanteSchema } from './values.ts'

/** A move ends by itself after this time; the screen repeats it while the key is held. */
export const PTZ_MOVIMENTO_MS = 2_000
/** Time after the last action of a person during which nobody else moves the camera. */
export const PTZ_VEZ_MS = 15_000

/** Largest number of presets in one list, and length of a token of ONVIF (`tt:ReferenceToken`). */
export const MAX_PRESETS = 256
const tokenSchema = z.string().min(1).max(64)

/** Share of the largest speed. */
const velocidade = z.number().min(-1).max(1)

/** One action on a PTZ camera. `x`: right, `y`: up, `zoom`: in; negative: the opposite. */
export const movimentoPtzSchema = z
  .discriminatedUnion('acao', [
    z.strictObject({ acao: z.literal('mover'), x: velocidade, y: velocidade, zoom: velocidade }),
    z.strictObject({ acao: z.literal('parar') }),
    z.strictObject({ acao: z.literal('preset'), preset: tokenSchema }),
    /** Returns to the home position. */
    z.strictObject({ acao: z.literal('base') }),
    /** Makes the present position the home position. */
    z.strictObject({ acao: z.literal('definir_base') }),
  ])
  .meta({
    id: 'MovimentoPtz',
    description:
      '`mover`: de -1 a 1; `x` positivo é para a direita, `y` para cima, `zoom` para perto. Termina sozinho em ' +
      `${PTZ_MOVIMENTO_MS / 1000} s: repita enquanto a tecla estiver apertada. \`base\`: volta à posição inicial.`,
    examples: [
      { acao: 'mover', x: 0.5, y: 0, zoom: 0 },
      { acao: 'preset', preset: '1' },
    ],
  })
export type MovimentoPtz = z.infer<typeof movimentoPtzSchema>

export const presetSchema = z
  .object({ preset: tokenSchema, nome: z.string().max(64) })
  .meta({ id: 'PresetPtz', description: 'Uma posição guardada na câmera.' })
export type Preset = z.infer<typeof presetSchema>

export const ptzSchema = z
  .object({
    disponivel: z.boolean().describe('A câmera foi adicionada por ONVIF, por onde se move.'),
    em_uso: z
      .object({
        por: z.string().describe('Nome do login.'),
        ate: instanteSchema,
        meu: z.boolean().describe('É este login: os outros esperam.'),
      })
      .nullable()
      .describe('Quem move a câmera agora; null: ninguém.'),
    fora_da_base: z
      .boolean()
      .describe(
        'Fora da posição inicial: as IAs com zona, linha ou fundo, e a que diz se a câmera vê, esperam a volta.',
      ),
  })
  .meta({ id: 'Ptz' })
export type Ptz = z.infer<typeof ptzSchema>
