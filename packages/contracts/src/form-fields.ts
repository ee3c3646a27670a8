import { z } from 'zod'

interface Common {
  readonly name: string
  /** The field may be null. */
  readonly nullable: boolean
  /** Value of a new record; undefined: the schema has none. */
  readonly fallback: unknown
}

/** A field of a form, as far as the schema of the body describes it. Bounds of a text are lengths; null: no bound. */
export type FormField = Common &
  (
    | { readonly kind: 'boolean' }
    | { readonly kind: 'choice'; readonly options: readonly string[] }
    | { readonly kind: 'number'; readonly whole: boolean; readonly min: number | null; readonly max: number | null }
    | { readonly kind: 'text'; readonly max: number | null }
  )

/** The fields of a body in the order of its schema. Lists, objects and unions need a control of their own. */
export const fieldsOf = (shape: z.ZodRawShape): FormField[] =>
  Object.entries(shape).flatMap(([name, schema]) => fieldOf(name, schema as z.ZodType) ?? [])

function fieldOf(name: string, schema: z.ZodType): FormField | null {
  let inner = schema
  const common = { name, nullable: false, fallback: undefined as unknown }
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    if (inner instanceof z.ZodNullable) common.nullable = true
    if (inner instanceof z.ZodDefault) common.fallback = inner.def.defaultValue
    inner = inner.unwrap() as z.ZodType
  }
  if (inner instanceof z.ZodBoolean) return { ...common, kind: 'boolean' }
  if (inner instanceof z.ZodEnum) return { ...common, kind: 'choice', options: inner.options.map(String) }
  if (inner instanceof z.ZodString) return { ...common, kind: 'text', max: longest(inner) }
  if (!(inner instanceof z.ZodNumber)) return null
  const { minValue, maxValue } = inner
  return { ...common, kind: 'number', whole: inner.format === 'safeint', min: bound(minValue), max: bound(maxValue) }
}

/** `textoCurto` counts characters by a check of its own and notes its bound beside it. */
const longest = (schema: z.ZodString): number | null => {
  const noted = schema.meta()?.maxLength
  return typeof noted === 'number' ? noted : bound(schema.maxLength)
}

const bound = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value
