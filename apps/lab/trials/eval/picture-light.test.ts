import { expect, it } from 'vitest'
import { lightOf } from './picture-light.ts'

const plain = (colour: readonly number[]) => ({ rgb: Buffer.from([...colour, ...colour]) })

it.each([
  [[200, 180, 150], 'dia'],
  [[90, 70, 60], 'penumbra'],
  [[40, 30, 20], 'noite'],
  // As bright as day, but without colour.
  [[180, 180, 180], 'infravermelho'],
] as const)('names the light of %s %s', (colour, luz) => {
  expect(lightOf(plain(colour))).toBe(luz)
})

it('takes the mean of the picture', () => {
  expect(lightOf({ rgb: Buffer.from([250, 0, 0, 0, 0, 0]) })).toBe('noite')
  expect(lightOf({ rgb: Buffer.from([250, 250, 0, 0, 0, 0]) })).toBe('dia')
})
