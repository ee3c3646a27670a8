import { z } from 'zod'
import { bodyFields, type Offer } from './body-fields.ts'
import type { Link, Tool } from './tool.ts'
import { somethingToChange } from './tools/something-to-change.ts'

interface RouteToolSpec extends Omit<Tool, 'entrada' | 'saida' | 'operacoes' | 'run' | 'rota'> {
  /** The route, with the answer of its declaration. It has one path parameter: the id of a record. */
  readonly rota: { readonly operacao: string; readonly json?: z.ZodObject; readonly resposta: z.ZodType }
  /** Field of the input that names the record, and its schema. */
  readonly registro: readonly [campo: string, id: z.ZodType]
  /** Fields of the body that the tool offers. */
  readonly corpo?: Readonly<Record<string, Offer>>
  /** Field of the result with the answer, and its description. */
  readonly devolve: readonly [campo: string, descricao: string]
  /** Description of the id in the result; absent: the answer has it. */
  readonly repete?: string
  readonly vinculo?: (id: number) => Link
}

/**
 * Declares a tool that reads or changes one record by one route. Its input is the id and the body of the route, its
 * result the answer of the route.
 */
export function routeTool(spec: RouteToolSpec): Tool {
  const { rota, registro, corpo, devolve, repete, vinculo, ...said } = spec
  const [campo, id] = registro
  const [nome, descricao] = devolve
  const changes: Readonly<Record<string, z.ZodType>> = rota.json && corpo ? bodyFields(rota.json, corpo) : {}
  const entrada = z.strictObject({ [campo]: id, ...changes })
  const isPatch = rota.json !== undefined && Object.values(changes).every((field) => field instanceof z.ZodOptional)
  return {
    ...said,
    rota,
    operacoes: [rota.operacao],
    entrada: isPatch ? somethingToChange(entrada, campo) : entrada,
    saida: z.object({
      ...(repete !== undefined && { [campo]: z.int().describe(repete) }),
      [nome]: rota.resposta.describe(descricao),
    }),
    async run({ [campo]: given, ...json }, ctx) {
      const record = Number(given)
      const answer = await ctx.ofRecord(rota.operacao, record, rota.json && json)
      return {
        dados: { ...(repete !== undefined && { [campo]: record }), [nome]: answer },
        ...(vinculo && { vinculos: [vinculo(record)] }),
      }
    },
  }
}
