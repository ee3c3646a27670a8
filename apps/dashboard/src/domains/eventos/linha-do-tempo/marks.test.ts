import { expect, it } from 'vitest'
import { markOf } from './marks.ts'

const desde = Date.parse('2026-11-22T03:00:00Z')
const day = { desde, ate: desde + 86_400_000 }
const at = (hours: number) => new Date(desde + hours * 3_600_000).toISOString()

it.each([
  ['inside the day', at(6), at(12), { start: 0.25, length: 0.25 }],
  ['across both ends', at(-5), at(30), { start: 0, length: 1 }],
  ['still open', at(12), null, { start: 0.5, length: 0.25 }],
  ['before the day', at(-5), at(-4), null],
  ['without a length', at(6), at(6), { start: 0.25, length: 0 }],
])('marks a period %s', (_, inicio, fim, mark) => {
  expect(markOf({ inicio, fim }, day, desde + 18 * 3_600_000)).toEqual(mark)
})
