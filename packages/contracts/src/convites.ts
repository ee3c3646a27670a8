import { z } from 'zod'
import { alcanceSchema, alcanceVistoSchema } from './alcance.ts'
import { camposPagina } from './paginas.ts'
import { papelSchema, senhaSchema, usernameSchema } from './usuarios.ts'
import { idSchema, idTexto, instanteSchema, textoCurto } from './values.ts'

/** Lifetime of an invitation in hours. */
export const CONVITE_H = 72

export const conviteCreateSchema = z
  .object({
    papel: papelSchema,
    empresa_id: idSchema.optional().describe('Se faltar, a Empresa de quem convida. O operador precisa dizer.'),
    alcance: alcanceSchema.optional(),
    para: textoCurto(80).optional().describe('Para quem é o convite, só para reconhecê-lo na lista.'),
  })
  .meta({ id: 'ConviteCreate', examples: [{ papel: 'usuario', empresa_id: 1, para: 'Ana, da portaria' }] })
export type ConviteCreate = z.infer<typeof conviteCreateSchema>

export const conviteSchema = z
  .object({
    id: z.int(),
    papel: papelSchema,
    empresa_id: z.int(),
    alcance: alcanceVistoSchema,
    para: z.string().nullable(),
    criado_por: z.string(),
    criado_em: instanteSchema,
    expira_em: instanteSchema,
  })
  .meta({ id: 'Convite', description: 'Convite que ninguém usou ainda, nunca com o token.' })
export type Convite = z.infer<typeof conviteSchema>

export const conviteCriadoSchema = conviteSchema
  .extend({
    link: z.string().describe('Para mandar à pessoa. Só esta resposta o mostra; vale uma vez, por 72 horas.'),
  })
  .meta({ id: 'ConviteCriado' })
export type ConviteCriado = z.infer<typeof conviteCriadoSchema>

export const convitesQuerySchema = z.object({ empresa_id: idTexto.optional(), ...camposPagina })
export type ConvitesQuery = z.infer<typeof convitesQuerySchema>

const token = z.string().min(1).max(200).describe('O que vem depois de `#` no link.')
const exemplo = 'q3Zt4G8oWn1y0c8b5mq3Zt4G8oWn1y0c8b5mq3Zt4G8'

export const conviteVerSchema = z.object({ token }).meta({ id: 'ConviteVer', examples: [{ token: exemplo }] })

export const conviteAbertoSchema = z
  .object({
    empresa_nome: z.string(),
    papel: papelSchema,
    expira_em: instanteSchema,
  })
  .meta({ id: 'ConviteAberto', description: 'O que a pessoa convidada vê antes de escolher o login.' })
export type ConviteAberto = z.infer<typeof conviteAbertoSchema>

export const conviteAceitarSchema = z
  .object({
    token,
    username: usernameSchema.describe('Único na instalação.'),
    password: senhaSchema.describe('Pelo menos 8 caracteres.'),
  })
  .meta({
    id: 'ConviteAceitar',
    examples: [{ token: exemplo, username: 'ana.souza', password: 'uma frase bem comprida' }],
  })
export type ConviteAceitar = z.infer<typeof conviteAceitarSchema>

export const conviteAceitoSchema = z.object({ username: z.string() }).meta({ id: 'ConviteAceito' })
export type ConviteAceito = z.infer<typeof conviteAceitoSchema>
