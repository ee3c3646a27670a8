import { z } from 'zod'
import { alcanceVistoSchema } from './alcance.ts'
import { efeitosSchema } from './efeitos.ts'
import { escoposOauth } from './oauth.ts'
import { camposPagina } from './paginas.ts'
import { idTexto, instanteSchema } from './values.ts'

export const autorizacaoSchema = z
  .object({
    id: z.int(),
    cliente_nome: z.string().nullable().describe('Como o agente mesmo se chamou: qualquer um registra qualquer nome.'),
    client_id: z.string(),
    redirect_hosts: z
      .array(z.string())
      .describe(
        'Aonde o acesso pode ser entregue: sites, `localhost` (o computador da pessoa) ou `app:` (um aplicativo).',
      ),
    usuario_id: z.int(),
    username: z.string().describe('O login em nome de quem o agente age.'),
    escopo: z.enum(escoposOauth).describe('`mcp`: o que o login pode; `mcp:leitura`: só ver.'),
    alcance: alcanceVistoSchema,
    efeitos: efeitosSchema,
    criada_em: instanteSchema,
    usada_em: instanteSchema.nullable().describe('null: ainda não usada.'),
    expira_em: instanteSchema.describe('Até quando vale, mesmo que o agente a renove.'),
  })
  .meta({ id: 'Autorizacao', description: 'O acesso que um login deu a um agente, enquanto vale.' })
export type Autorizacao = z.infer<typeof autorizacaoSchema>

export const autorizacoesQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  ...camposPagina,
})
export type AutorizacoesQuery = z.infer<typeof autorizacoesQuerySchema>
