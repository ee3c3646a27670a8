import { configIaSchema } from '@vigia/contracts/calibracao'
import { VigiaError } from '@vigia/contracts/errors'
import { linhaSchema, zonasSchema } from '@vigia/contracts/geometria'
import { nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'

/** Settings of a camera with this picture, in the words of the API. */
const sceneSchema = z.strictObject({
  zonas: zonasSchema.default([]),
  linha: linhaSchema.default([]),
  config_ia: configIaSchema.default({}),
  /** Default: every IA. */
  ias: z.array(z.enum(nomesIas)).optional(),
})
export type Scene = z.output<typeof sceneSchema>

const fileSchema = z.record(z.string(), sceneSchema)

/** The whole frame, no line, default thresholds. */
export const plainScene: Scene = sceneSchema.parse({})

/** `cena.json`: video → scene. Throws VigiaError `validacao` that names the fault. */
export function parseScenes(text: string, file: string): Readonly<Record<string, Scene>> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new VigiaError('validacao', { detalhe: `${file} não é JSON válido.`, cause })
  }
  const result = fileSchema.safeParse(json)
  if (result.success) return result.data
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || '(raiz)'))].join(', ')
  throw new VigiaError('validacao', { detalhe: `${file} está incorreto. Corrija: ${fields}.`, cause: result.error })
}
