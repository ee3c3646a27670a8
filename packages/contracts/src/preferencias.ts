import { z } from 'zod'
import { tamanhosMosaico } from './mosaicos.ts'
import { idSchema, textoCurto } from './values.ts'

/** Largest number of phrases of a login. */
export const MAX_FRASES = 12
/** Largest number of saved layouts of a login. */
export const MAX_MOSAICOS = 8
/** Cameras of one layout; above its tiles they are pages of the patrol. */
export const MAX_CAMERAS_MOSAICO = 64

export const fraseSchema = textoCurto(120)

const mosaicoSchema = z
  .strictObject({
    nome: textoCurto(40),
    quadros: z.literal(tamanhosMosaico).describe('Câmeras de uma página.'),
    cameras: z
      .array(idSchema)
      .max(MAX_CAMERAS_MOSAICO)
      .describe('Na ordem em que aparecem. Vazio: todas as do escopo. Uma câmera que saiu do escopo não aparece.'),
    ronda_s: z.int().min(0).max(300).describe('Segundos até a próxima página; 0: fica na mesma.'),
  })
  .meta({ id: 'Mosaico' })
export type Mosaico = z.infer<typeof mosaicoSchema>

export const preferenciasSchema = z
  .object({
    frases: z.array(fraseSchema).max(MAX_FRASES).describe('Frases prontas das notas.'),
    mosaicos: z.array(mosaicoSchema).max(MAX_MOSAICOS).describe('Arranjos salvos do mosaico.'),
  })
  .meta({ id: 'Preferencias', description: 'O que um login guardou para as suas telas.' })
export type Preferencias = z.infer<typeof preferenciasSchema>

export const preferenciasPatchSchema = preferenciasSchema.partial().meta({
  id: 'PreferenciasPatch',
  description: 'Uma lista enviada troca a que havia; a que falta fica.',
  examples: [
    { frases: ['Ronda conferiu: nada'] },
    { mosaicos: [{ nome: 'Portões', quadros: 4, cameras: [1, 2, 7, 9, 12], ronda_s: 20 }] },
  ],
})
export type PreferenciasPatch = z.infer<typeof preferenciasPatchSchema>
