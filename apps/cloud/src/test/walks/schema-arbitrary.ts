import fc from 'fast-check'
import { type ApiDocument, type JsonSchema, resolveSchema } from './api-document.ts'

type Value = fc.Arbitrary<unknown>

/**
 * Valid values of a JSON Schema of the API reference, biased to its bounds. Checks outside the schema are not
 * considered.
 */
export function fromSchema(document: ApiDocument, given: JsonSchema): Value {
  const schema = resolveSchema(document, given)
  const alternatives = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined
  if (alternatives) return fc.oneof(...alternatives.map((one) => fromSchema(document, one)))
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.oneof(fc.integer(range(schema, 0, 1000)), atBounds(range(schema, -(2 ** 53), 2 ** 53)))
    case 'number':
      return fc.oneof(fc.double({ ...range(schema, -1e9, 1e9), noNaN: true }), atBounds(range(schema, -1e300, 1e300)))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(document, schema)
    case 'object':
      return object(document, schema)
    default:
      return fc.jsonValue()
  }
}

interface Range {
  readonly min: number
  readonly max: number
}
const range = ({ minimum, maximum }: JsonSchema, min: number, max: number): Range => {
  const low = Number(minimum ?? min)
  return { min: low, max: Math.max(low, Number(maximum ?? max)) }
}
const atBounds = ({ min, max }: Range): Value => fc.constantFrom(min, max)

function text({ format, pattern, minLength = 0, maxLength = 100 }: JsonSchema): Value {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  const least = Number(minLength)
  const most = Math.max(least, Math.min(Number(maxLength), 300))
  const plain = fc.string({ unit: 'grapheme', minLength: least, maxLength: most })
  if (typeof pattern !== 'string') return fc.oneof(plain, fc.constantFrom(...addresses))
  try {
    return fc.oneof(fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }), plain)
  } catch {
    // The generator does not support a lookahead.
    return fc.oneof(plain, fc.constantFrom(...addresses))
  }
}

/** Typical values of fields without a pattern; every address is on this machine or unreachable. */
const addresses = [
  'rtsp://ana:senha@127.0.0.9:554/1?canal=2',
  'rtsps://[::1]/',
  '127.0.0.9',
  '0x7f.1',
  'gravador.invalid',
  'America/Sao_Paulo',
  '{base}/canal{channel}',
  '****',
]

function list(document: ApiDocument, { items = {}, minItems = 0, maxItems = 6, prefixItems }: JsonSchema): Value {
  if (Array.isArray(prefixItems))
    return fc.tuple(...(prefixItems as JsonSchema[]).map((each) => fromSchema(document, each)))
  const minLength = Number(minItems)
  const maxLength = Math.max(minLength, Math.min(Number(maxItems), 6))
  return fc.array(fromSchema(document, items as JsonSchema), { minLength, maxLength })
}

function object(document: ApiDocument, schema: JsonSchema): Value {
  const { properties, required = [], propertyNames, additionalProperties } = schema
  if (properties === undefined && typeof additionalProperties === 'object')
    return fc.dictionary(
      fromSchema(document, (propertyNames ?? { type: 'string' }) as JsonSchema).map(String),
      fromSchema(document, additionalProperties as JsonSchema),
      { maxKeys: 4 },
    )
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>)
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, fromSchema(document, field)])), {
    requiredKeys: required as string[],
  })
}
