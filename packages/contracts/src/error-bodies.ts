import { z } from 'zod'

/** Body of each refusal except 422. */
export const erroSchema = z
  .object({
    detail: z.string().min(1).describe('Frase que diz o que houve e o que fazer.'),
    segundo_fator: z
      .literal(true)
      .optional()
      .describe('Só em 401 de quem entra: a senha está certa; mande também `codigo`.'),
  })
  .meta({ id: 'Erro' })

export const itemValidacaoSchema = z
  .object({
    loc: z
      .tuple([z.enum(['body', 'path', 'query', 'header'])], z.union([z.string(), z.int()]))
      .describe('Onde está o problema: a parte da requisição, depois campos e posições de lista.'),
    msg: z.string().min(1).describe('O que corrigir.'),
    type: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/)
      .describe('Código estável do problema.'),
  })
  .meta({ id: 'ItemValidacao' })

/** Body of a 422; `loc` is the path of the value: part of the request, then field names and list indexes. */
export const erroValidacaoSchema = z.object({ detail: z.array(itemValidacaoSchema) }).meta({ id: 'ErroValidacao' })

/** Body of a 500; the log contains its id. */
export const erroInternoSchema = z.object({ detail: z.string().min(1), id: z.uuid() }).meta({ id: 'ErroInterno' })
