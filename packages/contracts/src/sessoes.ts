import { z } from 'zod'
import { papelSchema } from './usuarios.ts'

/** Session lifetime in seconds, fixed from issue (interface, Limits). */
export const SESSAO_S = 3600

export const loginFormSchema = z.object({ username: z.string().min(1).max(200), password: z.string().min(1).max(1024) })

export const tokenFormSchema = loginFormSchema.extend({
  grant_type: z.literal('password').optional(),
  scope: z.string().max(1000).default(''),
  client_id: z.string().max(200).optional(),
  client_secret: z.string().max(1024).optional(),
})

export const tokenSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.literal(SESSAO_S),
})

export const meSchema = z.object({
  id: z.int(),
  username: z.string(),
  papel: papelSchema,
  empresa_id: z.int().nullable(),
  empresa_nome: z.string().nullable(),
  /** Ids of the Empresas in scope; null for the operator, whose scope is everything. */
  empresas: z.array(z.int()).nullable(),
})
export type Me = z.infer<typeof meSchema>
