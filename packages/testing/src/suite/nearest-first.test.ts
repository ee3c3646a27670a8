import { expect, it } from 'vitest'
import { nearestFirst } from './nearest-first.ts'

const tests = ['/r/apps/edge/a.test.ts', '/r/apps/cloud/src/x/b.test.ts', '/r/packages/c.test.ts'].map((moduleId) => ({
  moduleId,
}))
const order = (changed: readonly string[]) => nearestFirst(tests, changed).map(({ moduleId }) => moduleId.at(-9))

it('sorts a changed test first, then tests of the same folder, then the others', () => {
  expect(order(['/r/packages/c.test.ts', '/r/apps/cloud/src/x/b.ts'])).toEqual(['b', 'c', 'a'])
  expect(order(['/r/apps/edge/a.test.ts'])).toEqual(['a', 'b', 'c'])
})

it('keeps the order of equal tests', () => {
  expect(order([])).toEqual(['a', 'b', 'c'])
})
