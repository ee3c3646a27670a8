import { describe, expect, it } from 'vitest'
import { uncovers } from './uncovers.ts'

const square = [0.2, 0.2, 0.6, 0.2, 0.6, 0.6, 0.2, 0.6]

describe('masks', () => {
  it.each([
    ['unchanged', [square], [square]],
    ['another one added', [square], [square, [0, 0, 0.1, 0, 0.1, 0.1]]],
    ['the first one', [], [square]],
    ['larger on all sides', [square], [[0.1, 0.1, 0.7, 0.1, 0.7, 0.7, 0.1, 0.7]]],
    ['larger on one side, with shared edges', [square], [[0.2, 0.2, 0.9, 0.2, 0.9, 0.6, 0.2, 0.6]]],
    ['another first corner', [square], [[0.6, 0.2, 0.6, 0.6, 0.2, 0.6, 0.2, 0.2]]],
    ['a corner more on an edge', [square], [[0.2, 0.2, 0.4, 0.2, 0.6, 0.2, 0.6, 0.6, 0.2, 0.6]]],
    [
      'in the other form',
      [square],
      [
        [0.2, 0.2],
        [0.6, 0.2],
        [0.6, 0.6],
        [0.2, 0.6],
      ],
    ],
  ])('%s uncover nothing', (_name, before, after) => {
    expect(uncovers(before, after)).toBe(false)
  })

  it.each([
    ['removed', [square], []],
    ['one of two removed', [square, [0, 0, 0.1, 0, 0.1, 0.1]], [square]],
    ['smaller', [square], [[0.2, 0.2, 0.59, 0.2, 0.59, 0.6, 0.2, 0.6]]],
    ['smaller by less than a pixel', [square], [[0.2, 0.2, 0.5999999, 0.2, 0.5999999, 0.6, 0.2, 0.6]]],
    ['moved', [square], [[0.3, 0.2, 0.7, 0.2, 0.7, 0.6, 0.3, 0.6]]],
    ['with a notch between the corners', [square], [[0.2, 0.2, 0.6, 0.2, 0.6, 0.6, 0.4, 0.3, 0.2, 0.6]]],
    [
      'with a hole that a cut joins to the outline',
      [square],
      [
        [
          0.1, 0.1, 0.7, 0.1, 0.7, 0.7, 0.4, 0.7, 0.4, 0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.3, 0.3, 0.5, 0.4, 0.5, 0.4, 0.7,
          0.1, 0.7,
        ],
      ],
    ],
    ['a cross of two triangles', [square], [[0.1, 0.1, 0.7, 0.7, 0.7, 0.1, 0.1, 0.7]]],
  ])('%s may uncover', (_name, before, after) => {
    expect(uncovers(before, after)).toBe(true)
  })
})
