import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { strictBody } from './strict-body.ts'

/** Paths of unknown fields, or the code of another problem. */
const slots = (schema: z.ZodType, value: unknown): unknown[] | undefined =>
  strictBody(schema)
    .safeParse(value)
    .error?.issues.map((issue) => (issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys] : issue.code))

const inner = z.object({ a: z.int().optional() })

describe('a strict body', () => {
  it.each<[string, z.ZodType, unknown, (string | number)[]]>([
    ['an object', inner, { x: 1 }, ['x']],
    ['a field', z.object({ o: inner }), { o: { x: 1 } }, ['o', 'x']],
    ['an optional field', z.object({ o: inner.optional() }), { o: { x: 1 } }, ['o', 'x']],
    ['a field that may be null', z.object({ o: inner.nullish() }), { o: { x: 1 } }, ['o', 'x']],
    ['a field with a default', z.object({ o: inner.default({}) }), { o: { x: 1 } }, ['o', 'x']],
    ['a list', z.object({ o: z.array(inner) }), { o: [{}, { x: 1 }] }, ['o', 1, 'x']],
    ['a record', z.object({ o: z.record(z.string(), inner) }), { o: { k: { x: 1 } } }, ['o', 'k', 'x']],
    ['what is transformed', z.object({ o: inner.transform(() => 1) }), { o: { x: 1 } }, ['o', 'x']],
    ['a refined object', inner.superRefine(() => undefined), { x: 1 }, ['x']],
  ])('refuses an unknown field of %s', (_, schema, value, path) => {
    expect(schema.safeParse(value).success).toBe(true)
    expect(slots(schema, value)).toEqual([path])
  })

  it('refuses an unknown field in every alternative of a union', () => {
    const either = z.union([z.int(), inner])
    expect([strictBody(either).safeParse(3).success, strictBody(either).safeParse({ x: 1 }).success]).toEqual([
      true,
      false,
    ])
  })

  it('keeps checks, types, names in the API reference and objects that are already strict', () => {
    const named = z
      .object({ a: z.int(), o: inner })
      .refine(({ a }) => a > 1)
      .meta({ id: 'Nome' })
    const strict = strictBody(named)
    expect(strict.safeParse({ a: 1, o: {} }).success).toBe(false)
    expect(strict.safeParse({ a: 2, o: {} }).data).toEqual({ a: 2, o: {} })
    expect(z.globalRegistry.get(strict)?.id).toBe('Nome')
    expect(strictBody(named)).toBe(strict)
    const closed = z.strictObject({ a: z.int(), list: z.array(z.string().nullish()) })
    expect(strictBody(closed)).toBe(closed)
    const open = z.looseObject({ a: z.int() })
    expect(strictBody(open)).toBe(open)
  })

  it('reports unknown fields and wrong values in one answer', () => {
    const schema = strictBody(z.object({ a: z.int() }))
    expect(schema.safeParse({ a: 'x', y: 1 }).error?.issues.map(({ code }) => code)).toEqual([
      'invalid_type',
      'unrecognized_keys',
    ])
  })
})
