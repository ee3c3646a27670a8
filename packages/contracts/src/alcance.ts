import { z } from 'zod'
import { idSchema } from './values.ts'

/** Largest number of Empresas in one list. */
export const MAX_ALCANCE = 500

const lugar = z.enum(['propria', 'abaixo'])

/** Where a login, quiosque, chave or agent acts; its papel says what it may do. */
export const alcanceSchema = z
  .union([lugar, z.array(idSchema).min(1).max(MAX_ALCANCE)])
  .describe(
    '`propria`: só a Empresa dele; `abaixo`: ela e todas abaixo dela; ou uma lista de ids de Empresas. Nunca mais ' +
      'que o alcance de quem cria. Se faltar, `abaixo` para um `administrador` e `propria` para os outros.',
  )

/** The same in an answer: a list is empty after the last of its Empresas was removed. */
export const alcanceVistoSchema = z
  .union([lugar, z.array(z.int())])
  .describe(
    '`propria`: só a Empresa dele; `abaixo`: ela e todas abaixo dela; ou os ids das Empresas. Uma lista vazia não ' +
      'alcança mais nada: as Empresas dela foram removidas.',
  )
export type Alcance = z.infer<typeof alcanceVistoSchema>
