import { expect, it } from 'vitest'
import { platesOf, textOfPlates, wrongPlate } from './own-plates.ts'

it('reads plates as people write them, each once', () => {
  expect(platesOf(' abc-1234\nBRA2E19, abc 1234;\n\n')).toEqual(['ABC1234', 'BRA2E19'])
  expect(platesOf(textOfPlates(['ABC1234', 'BRA2E19']))).toEqual(['ABC1234', 'BRA2E19'])
})

it('names the first one that is no plate', () => {
  expect(wrongPlate(['ABC1234', 'AB12', '?'])).toBe('AB12')
  expect(wrongPlate([])).toBeNull()
})
