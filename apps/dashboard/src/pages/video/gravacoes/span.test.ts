import { describe, expect, it } from 'vitest'
import { fieldsOf, spanOf } from './span.ts'

const FUSO = 'America/Sao_Paulo'

describe('the part of a recording', () => {
  it('is read in the time zone of the Empresa, and written back', () => {
    const fields = fieldsOf(Date.parse('2026-11-21T02:32:05Z'), 2, FUSO)
    expect(fields).toEqual({ dia: '2026-11-20', hora: '23:32:05', minutos: '2' })
    expect(spanOf(fields, FUSO)).toEqual({ inicio: '2026-11-21T02:32:05.000Z', fim: '2026-11-21T02:34:05.000Z' })
  })

  it('begins at the full minute without seconds', () =>
    expect(spanOf({ dia: '2026-11-20', hora: '09:05', minutos: '15' }, 'UTC')).toEqual({
      inicio: '2026-11-20T09:05:00.000Z',
      fim: '2026-11-20T09:20:00.000Z',
    }))

  it.each([
    ['', '09:00'],
    ['2026-11-20', ''],
    ['2026-11-20', '24:00'],
  ])('is none for %j %j', (dia, hora) => expect(spanOf({ dia, hora, minutos: '1' }, FUSO)).toBeNull())
})
