import { describe, expect, it } from 'vitest'
import { advanceSequence, carveGap } from './sequence.ts'

describe('advanceSequence', () => {
  it.each([
    [0, { de: 1, ate: 1 }, { ultimo: 1, salto: null, atrasado: false }],
    [4, { de: 5, ate: 5 }, { ultimo: 5, salto: null, atrasado: false }],
    [4, { de: 8, ate: 8 }, { ultimo: 8, salto: { de: 5, ate: 7 }, atrasado: false }],
    [4, { de: 2, ate: 2 }, { ultimo: 4, salto: null, atrasado: true }],
    [4, { de: 3, ate: 6 }, { ultimo: 6, salto: null, atrasado: true }],
    [0, { de: 3, ate: 9 }, { ultimo: 9, salto: { de: 1, ate: 2 }, atrasado: false }],
  ])('after %i, %o', (last, arrived, expected) => {
    expect(advanceSequence(last, arrived)).toEqual(expected)
  })
})

describe('carveGap', () => {
  it.each([
    [
      { de: 1, ate: 5 },
      { de: 3, ate: 3 },
      [
        { de: 1, ate: 2 },
        { de: 4, ate: 5 },
      ],
    ],
    [{ de: 1, ate: 5 }, { de: 1, ate: 5 }, []],
    [{ de: 1, ate: 5 }, { de: 1, ate: 2 }, [{ de: 3, ate: 5 }]],
    [{ de: 3, ate: 5 }, { de: 1, ate: 3 }, [{ de: 4, ate: 5 }]],
  ])('%o less %o', (gap, filled, rest) => {
    expect(carveGap(gap, filled)).toEqual(rest)
  })
})
