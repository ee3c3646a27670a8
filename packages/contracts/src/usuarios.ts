import { z } from 'zod'
import { idSchema, instanteSchema, textoCurto } from './values.ts'

export const papeis = ['administrador', 'usuario'] as const
export const papelSchema = z.enum(papeis)
export type Papel = z.infer<typeof papelSchema>

export const usuarioCreateSchema = z.object({
  username: textoCurto(200),
  senha: z.string().min(8).max(1024),
  papel: papelSchema.default('usuario'),
  empresa_id: idSchema.nullish(),
})
export type UsuarioCreate = z.infer<typeof usuarioCreateSchema>

export const usuarioSchema = z.object({
  id: z.int(),
  username: z.string(),
  papel: papelSchema,
  empresa_id: z.int().nullable(),
  criado_em: instanteSchema,
})
export type Usuario = z.infer<typeof usuarioSchema>
