import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesAfter, zoneNamesColumn, zoneNamesOf } from './zone-names.ts'

const A = [0, 0, 1, 0, 1, 1]
const B = [0, 0, 0.5, 0, 0.5, 0.5]
const C = [0.2, 0.2, 0.8, 0.2, 0.5, 0.9]
const MOVED = [0.1, 0.1, 0.6, 0.1, 0.6, 0.6]

describe('namesAfter', () => {
  it.each([
    ['a removed polygon', [A, B], [B], ['Doca']],
    ['a new polygon', [A, B], [A, B, C], ['Portão', 'Doca', null]],
    ['a new polygon in front', [A, B], [C, A, B], [null, 'Portão', 'Doca']],
    ['another order', [A, B], [B, A], ['Doca', 'Portão']],
    ['a moved polygon', [A, B], [A, MOVED], ['Portão', 'Doca']],
    ['a moved polygon that takes the place of one that stays', [A, B], [B, MOVED], ['Doca', null]],
    ['no polygon', [A, B], [], []],
  ])('keeps the names after %s', (_what, before, after, expected) => {
    expect(namesAfter(['Portão', 'Doca'], before, after)).toEqual(expected)
  })

  it('recognises a polygon in the other form', () => {
    const points = [
      [0, 0],
      [1, 0],
      [1, 1],
    ]
    expect(namesAfter(['Portão'], [A], points)).toEqual(['Portão'])
  })
})

it('stores names without the unnamed zones at the end, and reads one name for each polygon', () => {
  const names = fc.array(fc.option(fc.string({ minLength: 1 })), { maxLength: 5 })
  fc.assert(
    fc.property(names, (list) => {
      const row = { nomes_zonas_json: zoneNamesColumn(list), zonas_json: JSON.stringify(list.map(() => A)) }
      expect(zoneNamesOf(row)).toEqual(list)
      expect(row.nomes_zonas_json.endsWith('null]')).toBe(false)
    }),
  )
})
