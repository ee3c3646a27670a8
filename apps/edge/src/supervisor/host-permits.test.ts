import { expect, it } from 'vitest'
import { createHostPermits } from './host-permits.ts'

const [one, two] = [{}, {}]

function asked() {
  const permits = createHostPermits(2)
  const granted: string[] = []
  return {
    permits,
    granted,
    ask: (owner: object, ticket: number, host: string) =>
      permits.request(owner, ticket, host, () => granted.push(`${owner === one ? 'one' : 'two'}:${ticket}`)),
  }
}

it('lets two attempts at once reach a host, whichever process they come from, and the next when one is over', () => {
  const { permits, granted, ask } = asked()
  ask(one, 1, 'a')
  ask(two, 1, 'a')
  ask(one, 2, 'a')
  ask(one, 3, 'b')
  expect(granted).toEqual(['one:1', 'two:1', 'one:3'])
  permits.release(two, 1)
  expect(granted.at(-1)).toBe('one:2')
  permits.release(two, 1)
  expect(granted).toHaveLength(4)
})

it('forgets who gave up waiting', () => {
  const { permits, granted, ask } = asked()
  for (const ticket of [1, 2, 3, 4]) ask(one, ticket, 'a')
  permits.release(one, 3)
  permits.release(one, 1)
  expect(granted).toEqual(['one:1', 'one:2', 'one:4'])
})

it('takes back what a dead process held', () => {
  const { permits, granted, ask } = asked()
  for (const ticket of [1, 2, 3]) ask(one, ticket, 'a')
  ask(two, 1, 'a')
  ask(two, 2, 'a')
  permits.releaseAll(one)
  expect(granted).toEqual(['one:1', 'one:2', 'two:1', 'two:2'])
})
