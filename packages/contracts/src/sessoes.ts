import { z } from 'zod'
import { codigoSchema } from './segundo-fator.ts'
import { papelSchema } from './usuarios.ts'

/** Session lifetime in seconds, counted from its creation (interface, Limits). */
export const SESSAO_S = 3600

export const loginFormSchema = z
  .object({
    username: z.string().min(1).max(200),
    password: z.string().min(1).max(1024),
    codigo: codigoSchema.optional().describe('Do segundo fator, onde o login tem um; ou um código de recuperação.'),
  })
  .meta({ id: 'LoginForm', examples: [{ username: 'ana.souza', password: 'uma frase bem comprida' }] })

/** Form of the second sign-in page in the browser. */
export const codigoFormSchema = z
  .object({ bilhete: z.string().min(1).max(1000).describe('O da página.'), codigo: codigoSchema.min(1) })
  .meta({ id: 'CodigoForm', examples: [{ bilhete: 'v1.0a1b2c3d.Zt4G8oWn1y0c8b5m', codigo: '123456' }] })

export const tokenFormSchema = loginFormSchema
  .extend({
    grant_type: z.literal('password').optional(),
    scope: z.string().max(1000).default(''),
    client_id: z.string().max(200).optional(),
    client_secret: z.string().max(1024).optional(),
  })
  .meta({
    id: 'TokenForm',
    description: 'Formulário OAuth 2.0, tipo `password`.',
    examples: [{ grant_type: 'password', username: 'ana.souza', password: 'uma frase bem comprida' }],
  })

export const tokenSchema = z
  .object({
    access_token: z.string().describe('Opaco: nada se lê nele. Vale por 1 hora.'),
    token_type: z.literal('bearer'),
    expires_in: z.literal(SESSAO_S).describe('Segundos.'),
  })
  .meta({ id: 'Token' })

export const meSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    papel: papelSchema,
    empresa_id: z.int().nullable(),
    empresa_nome: z.string().nullable(),
    /** Ids of the Empresas in scope; null: all (the operator). */
    empresas: z
      .array(z.int())
      .nullable()
      .describe('Ids das Empresas no escopo; null para o operador da instalação, que vê todas.'),
    segundo_fator: z
      .object({
        ligado: z.boolean(),
        exigido: z.boolean().describe('A Empresa exige: sem ele ligado, o login só pode ligá-lo.'),
        codigos_restantes: z.int().describe('Códigos de recuperação ainda não usados.'),
      })
      .describe('O segundo fator deste login.'),
  })
  .meta({ id: 'Me', description: 'O login da sessão.' })
export type Me = z.infer<typeof meSchema>
