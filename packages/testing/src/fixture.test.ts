import { afterAll, describe, expect, it } from 'vitest'
import { fixture, freshFixture } from './fixture.ts'

const steps: string[] = []
const made = (name: string) => async () => {
  steps.push(`open ${name}`)
  return { name, count: 0, stop: () => steps.push(`stop ${name}`), close: () => steps.push(`close ${name}`) }
}

describe('fixtures', () => {
  const first = fixture(made('first'))
  const second = fixture(async () => ({ after: first.name, close: () => steps.push('close second') }))
  const fresh = freshFixture(made('fresh'))

  it('are created in their order, once or for each test', () => {
    expect([first.name, second.after]).toEqual(['first', 'first'])
    first.count += 1
    fresh.count += 1
    expect(steps).toEqual(['open first', 'open fresh'])
  })

  it('are the object itself for reads, writes, spreads and comparisons', () => {
    expect([first.count, fresh.count]).toEqual([1, 0])
    expect({ ...second }).toEqual(second)
    expect(Object.keys(second)).toEqual(['after', 'close'])
    expect('after' in second).toBe(true)
    expect(steps.slice(2)).toEqual(['stop fresh', 'open fresh'])
  })

  it('fail when a file reads them while it is collected', () => {
    expect(early).toThrow('a fixture is used before the first test')
  })
})

const early = () => unopened.name
let unopened: { readonly name: string }
describe('an unopened fixture', () => {
  unopened = fixture(made('late'))
  it('is opened later', () => expect(early()).toBe('late'))
})

afterAll(() => {
  expect(steps.slice(4)).toEqual([
    'stop fresh',
    'open fresh',
    'stop fresh',
    'close second',
    'stop first',
    'open late',
    'stop late',
  ])
})
