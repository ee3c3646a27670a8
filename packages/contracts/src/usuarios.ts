import { z } from 'zod'
import { alcanceSchema, alcanceVistoSchema } from './alcance.ts'
import { idSchema, instanteSchema, textoCurto } from './values.ts'

/** `vigilante`: a `usuario` that also answers incidentes and silences cameras. */
export const papeis = ['administrador', 'vigilante', 'usuario'] as const
export const papelSchema = z.enum(papeis)
export type Papel = z.infer<typeof papelSchema>

export const senhaSchema = z.string().min(8).max(1024)

/** A quiosque acts under a name of this form, and no login may be taken for one. */
const formaQuiosque = /^quiosque\s*:/iu

export const usernameSchema = textoCurto(200).refine((nome) => !formaQuiosque.test(nome.normalize('NFKC')), {
  error: 'Não comece com "quiosque:", o nome das telas. Escolha outro',
  params: { type: 'string_pattern_mismatch' },
})

export const usuarioCreateSchema = z
  .object({
    username: usernameSchema.describe('Único na instalação.'),
    senha: senhaSchema.describe('Pelo menos 8 caracteres.'),
    papel: papelSchema.default('usuario'),
    empresa_id: idSchema.nullish().describe('Se faltar, a Empresa de quem cria. null: só o operador pode.'),
    alcance: alcanceSchema.optional(),
  })
  .meta({
    id: 'UsuarioCreate',
    examples: [{ username: 'ana.souza', senha: 'uma frase bem comprida', papel: 'usuario', empresa_id: 1 }],
  })
export type UsuarioCreate = z.infer<typeof usuarioCreateSchema>

/** A new password, a new role or deactivation ends the sessions of the login. */
export const usuarioPatchSchema = z
  .strictObject({
    senha: senhaSchema.nullish(),
    papel: papelSchema.nullish(),
    ativo: z.boolean().nullish(),
    alcance: alcanceSchema.nullish(),
  })
  .meta({
    id: 'UsuarioPatch',
    description:
      'Mudar senha ou papel, ou desativar, encerra as sessões do login; mudar a senha e desativar também retiram ' +
      'o acesso dos agentes que ele autorizou. Um alcance novo vale na hora, também no que está aberto.',
    examples: [{ papel: 'administrador', ativo: true }],
  })
export type UsuarioPatch = z.infer<typeof usuarioPatchSchema>

export const usuarioSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    papel: papelSchema,
    empresa_id: z.int().nullable(),
    alcance: alcanceVistoSchema,
    /** false: the login cannot sign in. */
    ativo: z.boolean().describe('false: não entra mais; também quando a lista do alcance fica vazia.'),
    segundo_fator: z.boolean().describe('true: entra com senha e código.'),
    criado_em: instanteSchema,
  })
  .meta({ id: 'Usuario', description: 'Login, nunca com a senha.' })
export type Usuario = z.infer<typeof usuarioSchema>
