import { z } from 'zod'
import { alcanceVistoSchema } from './alcance.ts'
import { codigoSchema } from './segundo-fator.ts'
import { papelSchema, senhaSchema } from './usuarios.ts'
import { idSchema, instanteSchema } from './values.ts'

/** Lifetime of a session token in seconds, counted from its issue (interface, Limits). */
export const SESSAO_S = 3600

/** Time for which a renewed token stays valid, in seconds, so that requests under way succeed. */
export const TOKEN_ANTERIOR_S = 60

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

/** A token that ends earlier than an hour at the limit of its session, and later in a quiosque. */
export const tokenRenovadoSchema = z
  .object({
    access_token: z
      .string()
      .describe('O token novo; o anterior vale mais 60 segundos. Vazio num quiosque, que só entra pelo cookie.'),
    token_type: z.literal('bearer'),
    expires_in: z.int().describe('Segundos: uma hora, ou até o limite da sessão; num quiosque, até o fim dele.'),
  })
  .meta({ id: 'TokenRenovado' })
export type TokenRenovado = z.infer<typeof tokenRenovadoSchema>

/** Maximum number of quiosques that one change of the password may keep. */
const QUIOSQUES_DO_LOGIN_MAX = 1_000

export const senhaPropriaSchema = z
  .strictObject({
    atual: z.string().min(1).max(1024).describe('A senha de agora.'),
    nova: senhaSchema.describe('Pelo menos 8 caracteres, diferente da atual.'),
    quiosques: z
      .array(idSchema)
      .max(QUIOSQUES_DO_LOGIN_MAX)
      .optional()
      .describe('As telas em modo quiosque deste login que continuam; as outras acabam. Se faltar, acabam todas.'),
  })
  .meta({ id: 'SenhaPropria', examples: [{ atual: 'uma frase bem comprida', nova: 'outra frase bem comprida' }] })
export type SenhaPropria = z.infer<typeof senhaPropriaSchema>

export const sessaoSchema = z
  .object({
    id: z.int(),
    atual: z.boolean().describe('true: a desta requisição.'),
    iniciada_em: instanteSchema,
    visto_em: instanteSchema.describe('Último uso, com precisão de 5 minutos.'),
    expira_em: instanteSchema,
    renova_ate: instanteSchema,
    host: z.string().nullable().describe('Endereço por onde entrou.'),
    agente: z.string().nullable().describe('O navegador ou programa, como ele mesmo se apresentou.'),
    endereco: z.string().nullable().describe('Endereço IP de quem entrou.'),
  })
  .meta({ id: 'Sessao', description: 'Uma entrada deste login que ainda vale, nunca com o token.' })
export type Sessao = z.infer<typeof sessaoSchema>

export const meSchema = z
  .object({
    id: z.int().nullable().describe('null: uma tela em modo quiosque.'),
    username: z.string(),
    papel: papelSchema,
    empresa_id: z.int().nullable(),
    empresa_nome: z.string().nullable(),
    alcance: alcanceVistoSchema,
    /** Ids of the Empresas in scope; null: all (the operator). */
    empresas: z
      .array(z.int())
      .nullable()
      .describe('Ids das Empresas no escopo; null para o operador da instalação, que vê todas.'),
    ve_placas: z.boolean().describe('Se o login vê placas de veículos.'),
    segundo_fator: z
      .object({
        ligado: z.boolean(),
        exigido: z.boolean().describe('A Empresa exige: sem ele ligado, o login só pode ligá-lo.'),
        codigos_restantes: z.int().describe('Códigos de recuperação ainda não usados.'),
      })
      .describe('O segundo fator deste login.'),
    sessao: z
      .object({
        expira_em: instanteSchema.describe('Fim do token desta requisição.'),
        renova_ate: instanteSchema.describe('Até quando a sessão pode ser renovada.'),
        quiosque: z.object({ id: z.int(), nome: z.string() }).nullable(),
      })
      .nullable()
      .describe('null: o acesso de um agente.'),
    mensagens_com_link: z
      .boolean()
      .optional()
      .describe('Só em `/me`. false: falta VIGIA_URL_PUBLICA, e as mensagens saem sem link para o painel.'),
  })
  .meta({ id: 'Me', description: 'O login da sessão.' })
export type Me = z.infer<typeof meSchema>
