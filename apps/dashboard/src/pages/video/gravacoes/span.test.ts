import { describe, expect, it } from 'vitest'
import { fieldsOf, lengthsFor, parteOf, spanOf } from './span.ts'

const FUSO = 'America/Sao_Paulo'

describe('the part of a recording', () => {
  it('is read in the time zone of the Empresa, and written back', () => {
    const fields = fieldsOf({ startMs: Date.parse('2026-11-21T02:32:05Z'), minutos: 2 }, FUSO)
    expect(fields).toEqual({ dia: '2026-11-20', hora: '23:32:05', minutos: '2' })
    expect(spanOf(fields, FUSO)).toEqual({ inicio: '2026-11-21T02:32:05.000Z', fim: '2026-11-21T02:34:05.000Z' })
  })

  it('begins at the full minute without seconds', () =>
    expect(spanOf({ dia: '2026-11-20', hora: '09:05', minutos: '15' }, 'UTC')).toEqual({
      inicio: '2026-11-20T09:05:00.000Z',
      fim: '2026-11-20T09:20:00.000Z',
    }))

  it.each([
    ['full minutes', 90_000, 2],
    ['at least one', 100, 1],
    ['at most the longest that a recorder plays', 3_600_000, 15],
  ])('is drawn on the bar in %s', (_, ms, minutos) =>
    expect(parteOf({ desde: 5_000, ate: 5_000 + ms })).toEqual({ startMs: 5_000, minutos }),
  )

  it('may have another length than those of the form', () => {
    expect(lengthsFor(5)).toEqual([1, 2, 5, 10, 15])
    expect(lengthsFor(7)).toEqual([1, 2, 5, 7, 10, 15])
  })

  it.each([
    ['', '09:00'],
    ['2026-11-20', ''],
    ['2026-11-20', '24:00'],
  ])('is none for %j %j', (dia, hora) => expect(spanOf({ dia, hora, minutos: '1' }, FUSO)).toBeNull())
})
