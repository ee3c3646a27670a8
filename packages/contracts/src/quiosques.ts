import { z } from 'zod'
import { alcanceSchema, alcanceVistoSchema } from './alcance.ts'
import { camposPagina } from './paginas.ts'
import { idSchema, idTexto, instanteSchema, textoCurto } from './values.ts'

/** Lifetime of a quiosque in seconds: 30 days. */
export const QUIOSQUE_S = 30 * 24 * 3600

/**
 * Prefix of the name under which a quiosque answers incidentes and appears in the audit log. No login may begin with
 * it.
 */
export const QUIOSQUE_PREFIXO = 'quiosque: '

const papelQuiosqueSchema = z.enum(['vigilante', 'usuario'])
export type PapelQuiosque = z.infer<typeof papelQuiosqueSchema>

export const quiosqueCreateSchema = z
  .object({
    nome: textoCurto(80).describe('Único na Empresa: as respostas dadas nesta tela levam este nome.'),
    papel: papelQuiosqueSchema,
    empresa_id: idSchema.optional().describe('Se faltar, a Empresa de quem cria. O operador precisa dizer.'),
    alcance: alcanceSchema.optional(),
  })
  .meta({ id: 'QuiosqueCreate', examples: [{ nome: 'Portaria', papel: 'vigilante', empresa_id: 1 }] })
export type QuiosqueCreate = z.infer<typeof quiosqueCreateSchema>

export const quiosqueSchema = z
  .object({
    id: z.int(),
    nome: z.string(),
    papel: papelQuiosqueSchema,
    empresa_id: z.int(),
    alcance: alcanceVistoSchema,
    criado_por: z.string(),
    criado_em: instanteSchema,
    visto_em: instanteSchema.nullable().describe('Último uso da tela, com precisão de 5 minutos.'),
    expira_em: instanteSchema,
  })
  .meta({ id: 'Quiosque', description: 'Uma tela em modo quiosque, nunca com o token.' })
export type Quiosque = z.infer<typeof quiosqueSchema>

export const quiosquesQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  meus: z.literal('true').optional().describe('Só as telas que este login pôs em modo quiosque.'),
  ...camposPagina,
})
export type QuiosquesQuery = z.infer<typeof quiosquesQuerySchema>
