import { VigiaError } from '@vigia/contracts/errors'
import { cadastrarSchema, gravadorPatchSchema } from '@vigia/contracts/gravadores'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInput } from './validation-items.ts'

function itemsOf(schema: z.ZodType, input: unknown) {
  try {
    parseInput(schema, input, 'body')
    return []
  } catch (error) {
    if (error instanceof VigiaError) return error.itens.map(({ loc, type, msg }) => [loc.join('.'), type, msg])
    throw error
  }
}

describe('a value with alternatives', () => {
  const canais = (...items: unknown[]) => itemsOf(z.object({ canais: cadastrarSchema.shape.canais }), { canais: items })

  it('reports the problems of the closest alternative', () => {
    expect(canais({ canal: 'dois' })).toEqual([['body.canais.0.canal', 'int_type', 'Deve ser um número inteiro']])
    expect(canais(1, { canal: 2, perfil: 'castelo' })[0]?.slice(0, 2)).toEqual(['body.canais.1.perfil', 'enum'])
    expect(canais({})).toEqual([['body.canais.0.canal', 'missing', 'Campo obrigatório']])
    expect(canais({ canal: 1, senha: 'x' })).toEqual([
      ['body.canais.0.senha', 'extra_forbidden', 'Campo não permitido'],
    ])
    expect(canais(0)).toEqual([['body.canais.0', 'greater_than_equal', 'Deve ser maior ou igual a 1']])
    expect(canais(1.5)).toEqual([['body.canais.0', 'int_type', 'Deve ser um número inteiro ou um objeto']])
  })

  it('reports all expected types when it fits no alternative', () => {
    expect(canais('x')).toEqual([['body.canais.0', 'int_type', 'Deve ser um número inteiro ou um objeto']])
    expect(itemsOf(gravadorPatchSchema, { nome: 5 })).toEqual([['body.nome', 'string_type', 'Deve ser um texto']])
    expect(itemsOf(gravadorPatchSchema, { nome: 'a\u0007' })).toEqual([
      ['body.nome', 'string_pattern_mismatch', 'Não use caracteres invisíveis ou de controle'],
    ])
    const kinds = z.object({ x: z.discriminatedUnion('k', [z.object({ k: z.literal('a'), n: z.int() })]) })
    expect(itemsOf(kinds, { x: { k: 'b' } })).toEqual([['body.x.k', 'enum', 'Valor desconhecido. Use um de: a']])
    expect(itemsOf(kinds, { x: { k: 'a', n: 'z' } })).toEqual([['body.x.n', 'int_type', 'Deve ser um número inteiro']])
    expect(itemsOf(kinds, { x: {} })).toEqual([['body.x.k', 'missing', 'Campo obrigatório']])
  })
})

it('reports only the first problem of a field', () => {
  const porta = z.object({ porta: z.int().max(65_535) })
  expect(itemsOf(porta, { porta: 1e20 })).toEqual([
    ['body.porta', 'less_than_equal', 'Deve ser menor ou igual a 65535'],
  ])
  const twice = z
    .object({ a: z.string().min(3).regex(/^x/, { error: 'Comece por x' }) })
    .superRefine((_, ctx) => ctx.addIssue({ code: 'custom', path: ['a'], message: 'outro' }))
  expect(itemsOf(twice, { a: 'b' })).toEqual([['body.a', 'string_too_short', 'Deve ter pelo menos 3 caracteres']])
})
