import { describe, expect, it } from 'vitest'
import { booleanParam, idParam, oneOf } from './search-params.ts'

describe('what stands in the address bar', () => {
  it('is taken when it is valid', () => {
    expect(idParam('camera', 7)).toEqual({ camera: 7 })
    expect(booleanParam('refutados', true)).toEqual({ refutados: true })
    expect(oneOf('status', 'online', ['online', 'offline'])).toEqual({ status: 'online' })
  })

  it.each(['7', 0, -1, 1.5, 2 ** 60, Number.NaN, null, {}, undefined])('is named and empty for the id %s', (value) => {
    expect(Object.entries(idParam('camera', value))).toEqual([['camera', undefined]])
  })

  it('is named and empty for any other value', () => {
    expect(Object.entries(booleanParam('refutados', 'true'))).toEqual([['refutados', undefined]])
    expect(Object.entries(oneOf('status', 'toString', ['online']))).toEqual([['status', undefined]])
  })
})
