import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deeperThan } from './json-depth.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

it('is the nesting of the value and ignores its strings', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[[\]{}"\\\\,:]*$/))
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 6 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(text, tie('json'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(json, fc.boolean(), (value, pretty) => {
      const written = bytes(JSON.stringify(value, null, pretty ? 2 : 0))
      const depth = depthOf(value)
      expect(deeperThan(written, depth)).toBe(false)
      if (depth > 0) expect(deeperThan(written, depth - 1)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('handles escapes: an escaped quotation mark does not end a string', () => {
  expect(deeperThan(bytes('"\\"[[["'), 0)).toBe(false)
  expect(deeperThan(bytes('"\\\\"'), 0)).toBe(false)
  expect(deeperThan(bytes('["\\\\",[]]'), 1)).toBe(true)
  expect(deeperThan(bytes('["\\u0022[[[[",1]'), 1)).toBe(false)
})

it('reads 1 MiB of brackets fast and accepts truncated text', () => {
  // CPU time, which is independent of other processes.
  const before = process.cpuUsage()
  expect(deeperThan(new Uint8Array(1024 * 1024).fill(0x5b), 2_000_000)).toBe(false)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  for (const odd of ['"', '"\\', '[', ']]]]', '']) expect(deeperThan(bytes(odd), 1)).toBe(false)
})
