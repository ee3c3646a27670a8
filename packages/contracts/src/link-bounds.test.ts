import { expect, it } from 'vitest'
import { z } from 'zod'
import { candidatoSchema, lacunaSchema, loteSchema, respostaCentralSchema } from './candidate.ts'
import {
  certificadosSchema,
  desejadoSchema,
  pedidoRenovacaoSchema,
  relatoSchema,
  renovadoSchema,
} from './edge-state.ts'
import {
  clipeSchema,
  confirmacoesExtrasSchema,
  descartadoSchema,
  evidenciaSchema,
  loteExtrasSchema,
  semClipeSchema,
} from './extras.ts'
import { comandoLacradoSchema, quadroAoVivoSchema, resultadosSchema } from './pedidos.ts'

const messages: Record<string, z.ZodType> = {
  candidatoSchema,
  lacunaSchema,
  loteSchema,
  respostaCentralSchema,
  desejadoSchema,
  relatoSchema,
  certificadosSchema,
  pedidoRenovacaoSchema,
  renovadoSchema,
  comandoLacradoSchema,
  quadroAoVivoSchema,
  evidenciaSchema,
  descartadoSchema,
  clipeSchema,
  semClipeSchema,
  loteExtrasSchema,
  confirmacoesExtrasSchema,
  ...resultadosSchema,
}

/** Returns the paths of arrays without an upper bound in a JSON schema. */
function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, maxItems } = schema as { type?: unknown; maxItems?: unknown }
  const own = type === 'array' && maxItems === undefined ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([name, value]) => unbounded(value, `${path}.${name}`))]
}

it.each(Object.entries(messages))('each list in %s has a largest length', (_name, schema) => {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })
  expect(unbounded(json, '')).toEqual([])
})

it('finds a list without a largest length', () => {
  const json = z.toJSONSchema(z.object({ a: z.object({ b: z.array(z.int()) }).optional() }))
  expect(unbounded(json, '')).toEqual(['.properties.a.properties.b'])
})
