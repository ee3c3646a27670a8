import { z } from 'zod'
import { instanteSchema, textoCurto } from './values.ts'

export const FUSO_PADRAO = 'America/Sao_Paulo'
export const LIMITE_CAMERAS_PADRAO = 64

export const empresaCreateSchema = z.object({ nome: textoCurto(200) })
export type EmpresaCreate = z.infer<typeof empresaCreateSchema>

export const empresaSchema = z.object({
  id: z.int(),
  nome: z.string(),
  empresa_pai_id: z.int().nullable(),
  fuso_horario: z.string(),
  limite_cameras: z.int(),
  criada_em: instanteSchema,
})
export type Empresa = z.infer<typeof empresaSchema>
