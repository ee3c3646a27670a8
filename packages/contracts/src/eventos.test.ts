import { expect, it } from 'vitest'
import { eventosQuerySchema } from './eventos.ts'
import { instanteSchema } from './values.ts'

const takes = (desde: string) => eventosQuerySchema.safeParse({ desde }).success

it('a query accepts a time with Z or with an offset', () => {
  for (const text of [
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.123Z',
    '2026-01-31T09:00:00-03:00',
    '2026-01-31T21:30:00.5+09:30',
  ])
    expect([text, takes(text)]).toEqual([text, true])
  expect(Date.parse('2026-01-31T09:00:00-03:00')).toBe(Date.parse('2026-01-31T12:00:00Z'))
})

it('a query rejects a time without offset, and values that are no time', () => {
  for (const text of [
    '2026-01-31T12:00:00',
    '2026-01-31',
    '2026-02-30T12:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:00:00-3',
    '2026-01-31T12:00:00-24:00',
    '31/01/2026 09:00',
    'ontem',
    '',
  ])
    expect([text, takes(text)]).toEqual([text, false])
})

it('a time in an answer ends with Z', () => {
  expect(instanteSchema.safeParse('2026-01-31T09:00:00-03:00').success).toBe(false)
})
