import type { ItemValidacao } from '@vigia/contracts/errors'
import { VigiaError } from '@vigia/contracts/errors'
import type { z } from 'zod'

type Root = 'body' | 'path' | 'query' | 'header'
type Issue = z.core.$ZodIssue

/** A body of 1 MiB can hold a hundred thousand mistakes; nobody reads more than these. */
const MOST_ITEMS = 100

/**
 * Checks `input` and returns what the schema makes of it.
 * @throws VigiaError `validacao` with one item per problem (and per unknown field): `{loc, msg, type}`, `type` being the
 * codes that pydantic uses, `msg` Portuguese.
 */
export function parseInput(schema: z.ZodType, input: unknown, root: Root): unknown {
  // Zod's issue does not say whether an integer or any number was expected; its raw form, which only this callback sees, does.
  const integers = new Set<string>()
  const result = schema.safeParse(input, {
    error: (raw) => {
      if (raw.code === 'invalid_type' && isIntegerSchema(raw.inst)) integers.add(JSON.stringify(raw.path ?? []))
      return undefined
    },
  })
  if (result.success) return result.data
  const itens = result.error.issues.flatMap((issue) => items(issue, input, root, integers)).slice(0, MOST_ITEMS)
  throw new VigiaError('validacao', { detalhe: 'Dados inválidos.', itens })
}

function isIntegerSchema(schema: unknown): boolean {
  const def = (schema as { _zod?: { def?: { format?: unknown } } } | undefined)?._zod?.def
  return typeof def?.format === 'string' && /^(safe|u?)int(32|64)?$/.test(def.format)
}

function items(issue: Issue, input: unknown, root: Root, integers: ReadonlySet<string>): ItemValidacao[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  const loc = [root, ...path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ loc: [...loc, key], msg: 'Campo não permitido', type: 'extra_forbidden' }))
  if (issue.code !== 'custom' && valueAt(input, issue.path) === undefined)
    return [{ loc, msg: 'Campo obrigatório', type: 'missing' }]
  const { type, msg } = describe(issue, integers.has(JSON.stringify(issue.path)))
  return [{ loc, msg, type }]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<PropertyKey, unknown>)[part]
  }
  return value
}

const types: Record<string, { type: string; msg: string }> = {
  string: { type: 'string_type', msg: 'Deve ser um texto' },
  boolean: { type: 'bool_type', msg: 'Deve ser true ou false' },
  array: { type: 'list_type', msg: 'Deve ser uma lista' },
  object: { type: 'dict_type', msg: 'Deve ser um objeto' },
  record: { type: 'dict_type', msg: 'Deve ser um objeto' },
  number: { type: 'float_type', msg: 'Deve ser um número' },
  int: { type: 'int_type', msg: 'Deve ser um número inteiro' },
}

function describe(issue: Issue, integer: boolean): { type: string; msg: string } {
  switch (issue.code) {
    case 'invalid_type':
      return types[integer ? 'int' : issue.expected] ?? { type: 'value_error', msg: 'Valor inválido' }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
      return issue.values.length === 1
        ? { type: 'literal_error', msg: `Deve ser ${String(issue.values[0])}` }
        : { type: 'enum', msg: `Valor desconhecido. Use um de: ${issue.values.map(String).join(', ')}` }
    case 'invalid_format':
      return invalidFormat(issue)
    case 'custom':
      return { type: customType(issue.params), msg: issue.message }
    default:
      return { type: 'value_error', msg: 'Valor inválido' }
  }
}

/** The code that a schema of ours gives its own check (`params: { type }`); `value_error` unless it does. */
const customType = (params: Record<string, unknown> | undefined): string =>
  typeof params?.type === 'string' ? params.type : 'value_error'

function tooSmall(issue: z.core.$ZodIssueTooSmall): { type: string; msg: string } {
  const minimum = String(issue.minimum)
  if (issue.origin === 'string')
    return {
      type: 'string_too_short',
      msg: `Deve ter pelo menos ${minimum} ${issue.minimum === 1 ? 'caractere' : 'caracteres'}`,
    }
  if (issue.origin === 'array')
    return { type: 'too_short', msg: `Deve ter pelo menos ${minimum} ${issue.minimum === 1 ? 'item' : 'itens'}` }
  return issue.inclusive
    ? { type: 'greater_than_equal', msg: `Deve ser maior ou igual a ${minimum}` }
    : { type: 'greater_than', msg: `Deve ser maior que ${minimum}` }
}

function tooBig(issue: z.core.$ZodIssueTooBig): { type: string; msg: string } {
  const maximum = String(issue.maximum)
  if (issue.origin === 'string') return { type: 'string_too_long', msg: `Deve ter no máximo ${maximum} caracteres` }
  if (issue.origin === 'array') return { type: 'too_long', msg: `Deve ter no máximo ${maximum} itens` }
  return issue.inclusive
    ? { type: 'less_than_equal', msg: `Deve ser menor ou igual a ${maximum}` }
    : { type: 'less_than', msg: `Deve ser menor que ${maximum}` }
}

function invalidFormat(issue: z.core.$ZodIssueInvalidStringFormat): { type: string; msg: string } {
  // The message by which contracts/values.ts marks a decimal number in text.
  if (issue.message === 'int_parsing') return { type: 'int_parsing', msg: 'Deve ser um número inteiro' }
  if (issue.format === 'datetime')
    return { type: 'datetime_parsing', msg: 'Use data e hora ISO 8601 em UTC, por exemplo 2026-01-31T12:00:00Z' }
  const ours = issue.format === 'regex' && !issue.message.startsWith('Invalid')
  return { type: 'string_pattern_mismatch', msg: ours ? issue.message : 'Formato inválido' }
}
