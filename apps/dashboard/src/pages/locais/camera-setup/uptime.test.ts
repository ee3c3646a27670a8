import type { Queda } from '@vigia/contracts/eventos'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uptimeOf } from './uptime.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-22T12:00:00Z')
const queda = (fromH: number, toH: number | null) =>
  ({
    inicio: new Date(NOW - fromH * HOUR).toISOString(),
    fim: toH === null ? null : new Date(NOW - toH * HOUR).toISOString(),
  }) as Queda
const LONG_AGO = NOW - 1_000 * HOUR

describe('uptimeOf', () => {
  it('counts an open queda until now, and only the part of the last 7 days', () => {
    expect(uptimeOf([queda(42, null), queda(200, 158)], NOW, LONG_AGO, true)).toEqual({
      since: NOW - 168 * HOUR,
      share: 1 - 52 / 168,
      quedas: 2,
      longestMs: 42 * HOUR,
    })
  })

  it('begins with the camera, or with the oldest queda of a list that is not complete', () => {
    expect(uptimeOf([], NOW, NOW - 10 * HOUR, true)).toEqual({
      since: NOW - 10 * HOUR,
      share: 1,
      quedas: 0,
      longestMs: 0,
    })
    expect(uptimeOf([queda(4, 3)], NOW, LONG_AGO, false)).toMatchObject({ since: NOW - 4 * HOUR, share: 0.75 })
    expect(uptimeOf([], NOW, NOW, true)).toBeNull()
  })

  it('stays between 0 and 1 with quedas that overlap', () => {
    const hours = fc.tuple(fc.nat(300), fc.nat(300)).map(([a, b]) => queda(Math.max(a, b), Math.min(a, b)))
    fc.assert(
      fc.property(fc.array(hours, { maxLength: 20 }), fc.boolean(), (quedas, complete) => {
        const share = uptimeOf(quedas, NOW, LONG_AGO, complete)?.share ?? 0
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
      }),
    )
  })
})
