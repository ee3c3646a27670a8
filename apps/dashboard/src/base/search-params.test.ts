import { describe, expect, it } from 'vitest'
import { booleanParam, dateParam, idParam, oneOf } from './search-params.ts'

describe('a search parameter', () => {
  it('is kept if it is valid', () => {
    expect(idParam('camera', 7)).toEqual({ camera: 7 })
    expect(booleanParam('refutados', true)).toEqual({ refutados: true })
    expect(oneOf('status', 'online', ['online', 'offline'])).toEqual({ status: 'online' })
    expect(dateParam('de', '2028-02-29')).toEqual({ de: '2028-02-29' })
  })

  it.each(['7', 0, -1, 1.5, 2 ** 60, Number.NaN, null, {}, undefined])(
    'is explicitly undefined for the id %s',
    (value) => {
      expect(Object.entries(idParam('camera', value))).toEqual([['camera', undefined]])
    },
  )

  it('is explicitly undefined for any other value', () => {
    expect(Object.entries(booleanParam('refutados', 'true'))).toEqual([['refutados', undefined]])
    expect(Object.entries(oneOf('status', 'toString', ['online']))).toEqual([['status', undefined]])
  })

  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '21/11/2026', '2026-11-21T00:00:00Z', 20261121, null])(
    'is explicitly undefined for the day %s',
    (value) => {
      expect(Object.entries(dateParam('de', value))).toEqual([['de', undefined]])
    },
  )
})
