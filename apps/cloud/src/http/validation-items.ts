import type { ItemValidacao } from '@vigia/contracts/errors'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { z } from 'zod'

type Root = 'body' | 'path' | 'query' | 'header'
type Issue = z.core.$ZodIssue

/** Limit of the answer: a body of 1 MiB can hold a hundred thousand mistakes. */
export const MOST_ITEMS = 100

/** Marks issues of integer schemas, for which zod reports "number" or nothing. */
const INT = 'int_type'

/**
 * Validates `input` and returns the parsed value.
 * @throws VigiaError `validacao` with one item `{loc, msg, type}` per wrong or unknown field. `type`: code of pydantic;
 * `msg`: Portuguese.
 */
export function parseInput(schema: z.ZodType, input: unknown, root: Root): unknown {
  const result = schema.safeParse(input, {
    error: (raw) => (raw.code === 'invalid_type' && isIntegerSchema(raw.inst) ? INT : undefined),
  })
  if (result.success) {
    const nul = pathOfNul(input)
    if (nul !== null) throw invalid([root, ...nul], 'Tire o caractere nulo deste texto', 'null_character')
    return result.data
  }
  // The safe-integer bounds of zod come last, so that a field's own bound is reported first.
  const issues = [...result.error.issues].sort((a, b) => Number(isSafeBound(a)) - Number(isSafeBound(b)))
  const all = issues.flatMap((issue) => items(issue, input, root))
  // Only the first problem of a field is reported: a second one is often its consequence.
  const itens = [...new Map(all.reverse().map((item) => [JSON.stringify(item.loc), item])).values()].reverse()
  throw new VigiaError('validacao', { detalhe: 'Dados inválidos.', itens: itens.slice(0, MOST_ITEMS) })
}

/** Path of a text or name with the character U+0000, which PostgreSQL does not store; null: none. */
function pathOfNul(value: unknown): (string | number)[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const path = name.includes('\0') ? [] : pathOfNul(member)
    if (path !== null) return [Array.isArray(value) ? Number(name) : name.replaceAll('\0', ''), ...path]
  }
  return null
}

const isSafeBound = (issue: Issue): boolean =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)

function isIntegerSchema(schema: unknown): boolean {
  const def = (schema as { _zod?: { def?: { format?: unknown } } } | undefined)?._zod?.def
  return typeof def?.format === 'string' && /^(safe|u?)int(32|64)?$/.test(def.format)
}

const locOf = (root: Root, { path }: Issue): (string | number)[] => [
  root,
  ...path.map((part) => (typeof part === 'number' ? part : String(part))),
]

function items(issue: Issue, input: unknown, root: Root): ItemValidacao[] {
  const loc = locOf(root, issue)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ loc: [...loc, key], msg: 'Campo não permitido', type: 'extra_forbidden' }))
  if (issue.code !== 'custom' && valueAt(input, issue.path) === undefined)
    return [{ loc, msg: 'Campo obrigatório', type: 'missing' }]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return unionItems(issue, input, root)
  return [{ loc, ...describe(issue) }]
}

/** The problems of the closest alternative. If the value has none of their types: one item with all expected types. */
function unionItems(issue: z.core.$ZodIssueInvalidUnion, input: unknown, root: Root): ItemValidacao[] {
  const branches = issue.errors.map((issues) =>
    issues.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
  )
  const here = issue.path.length
  const fitting = branches.filter((issues) => !issues.some((inner) => isOtherType(inner) && inner.path.length === here))
  const [first, ...others] = fitting
  if (first) {
    const meant = others.reduce((best, next) => (distance(next) < distance(best) ? next : best), first)
    return meant.flatMap((inner) => items(inner, input, root))
  }
  const refused = branches.flat().filter(isOtherType)
  const ofType = refused.filter(({ code }) => code === 'invalid_type')
  const expected = (ofType.length > 0 ? ofType : refused).map(describe)
  const msg = [...new Set(expected.map(({ msg }) => msg))].join(' ou ').replaceAll(' ou Deve ser ', ' ou ')
  return [{ loc: locOf(root, issue), msg, type: expected[0]?.type ?? 'value_error' }]
}

const isOtherType = ({ code }: Issue): boolean => code === 'invalid_type' || code === 'invalid_value'

/** Distance of a value from an alternative; unknown fields weigh most. */
const distance = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 100 * issue.keys.length : 1), 0)

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

function describe(issue: Issue): { type: string; msg: string } {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.message === INT ? 'int' : issue.expected] ?? { type: 'value_error', msg: 'Valor inválido' }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
      return issue.values.length === 1
        ? { type: 'literal_error', msg: `Deve ser ${String(issue.values[0])}` }
        : { type: 'enum', msg: unknownValue(issue.values) }
    case 'invalid_format':
      return invalidFormat(issue)
    case 'invalid_union':
      return { type: 'enum', msg: unknownValue(('options' in issue && issue.options) || []) }
    case 'custom':
      return { type: customType(issue.params), msg: issue.message }
    default:
      return { type: 'value_error', msg: 'Valor inválido' }
  }
}

const unknownValue = (known: readonly unknown[]): string =>
  `Valor desconhecido. Use um de: ${known.map(String).join(', ')}`

/** The code of a custom check (`params: { type }`); default `value_error`. */
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
  // contracts/values.ts marks decimal numbers in text with these messages.
  if (issue.message === 'int_parsing') return { type: 'int_parsing', msg: 'Deve ser um número inteiro' }
  if (issue.message === 'float_parsing')
    return { type: 'float_parsing', msg: 'Deve ser um número; as casas decimais vêm depois de um ponto' }
  if (issue.format === 'datetime')
    return { type: 'datetime_parsing', msg: 'Use data e hora ISO 8601 com o fuso, por exemplo 2026-01-31T12:00:00Z' }
  const ours = issue.format === 'regex' && !issue.message.startsWith('Invalid')
  return { type: 'string_pattern_mismatch', msg: ours ? issue.message : 'Formato inválido' }
}
