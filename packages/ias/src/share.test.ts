import { describe, expect, it } from 'vitest'
import { shareOf } from './share.ts'

describe('shareOf', () => {
  it('has the interval of Wilson', () => {
    // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, and 0 of 20.
    expect(shareOf(81, 263)).toMatchObject({ de: expect.closeTo(0.2553, 4), ate: expect.closeTo(0.3662, 4) })
    expect(shareOf(0, 20)).toMatchObject({ de: 0, ate: expect.closeTo(0.1611, 4) })
    expect(shareOf(5, 10)).toMatchObject({ de: expect.closeTo(0.2366, 4), ate: expect.closeTo(0.7634, 4) })
    expect(shareOf(20, 20)).toMatchObject({ de: expect.closeTo(0.8389, 4), ate: expect.closeTo(1, 9) })
  })

  it('of nothing is unknown', () => {
    expect(shareOf(0, 0)).toEqual({ k: 0, n: 0, de: 0, ate: 1 })
  })
})
