import { z } from 'zod'
import { alcanceSchema, alcanceVistoSchema } from './alcance.ts'
import { camposPagina } from './paginas.ts'
import { idSchema, idTexto, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

/** Prefix of each chave, so that secret scanners and people recognize it; no session token has this form. */
export const CHAVE_PREFIXO = 'vigia_'

export const escoposChave = ['leitura', 'escrita'] as const
const escopoSchema = z
  .enum(escoposChave)
  .describe('`leitura`: como um `usuario`; `escrita`: como um `administrador`. Onde: `alcance`.')

export const chaveCreateSchema = z
  .object({
    nome: textoCurto(80).describe('Único na Empresa: é como a auditoria chama a chave.'),
    escopo: escopoSchema,
    empresa_id: idSchema.optional().describe('Se faltar, a Empresa de quem cria. O operador precisa dizer.'),
    alcance: alcanceSchema.optional(),
    validade: instanteComFusoSchema.nullish().describe('Até quando vale; se faltar, até ser apagada.'),
  })
  .meta({
    id: 'ChaveCreate',
    examples: [{ nome: 'ERP da matriz', escopo: 'leitura', empresa_id: 1, validade: '2099-12-31T23:59:59-03:00' }],
  })
export type ChaveCreate = z.infer<typeof chaveCreateSchema>

export const chaveSchema = z
  .object({
    id: z.int(),
    nome: z.string(),
    escopo: escopoSchema,
    empresa_id: z.int(),
    alcance: alcanceVistoSchema,
    inicio: z.string().describe('Como a chave começa, para reconhecê-la. O resto não fica guardado.'),
    validade: instanteSchema.nullable().describe('null: vale até ser apagada.'),
    criada_em: instanteSchema,
    usada_em: instanteSchema.nullable().describe('Último uso, com precisão de um minuto; null: nenhum.'),
  })
  .meta({ id: 'Chave', description: 'Chave de integração, nunca com o segredo.' })
export type Chave = z.infer<typeof chaveSchema>

export const chaveCriadaSchema = chaveSchema
  .extend({ chave: z.string().describe('A chave inteira. Só esta resposta a mostra.') })
  .meta({ id: 'ChaveCriada' })
export type ChaveCriada = z.infer<typeof chaveCriadaSchema>

export const chavesQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  ...camposPagina,
})
export type ChavesQuery = z.infer<typeof chavesQuerySchema>
