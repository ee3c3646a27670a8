import { expect, it } from 'vitest'
import { createHostPermits, createOwnPermits } from './host-permits.ts'

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

it('permits two simultaneous attempts per host over all processes and the next after a release', () => {
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

it('forgets withdrawn requests', () => {
  const { permits, granted, ask } = asked()
  for (const ticket of [1, 2, 3, 4]) ask(one, ticket, 'a')
  permits.release(one, 3)
  permits.release(one, 1)
  expect(granted).toEqual(['one:1', 'one:2', 'one:4'])
})

it('releases the permits of a dead process', () => {
  const { permits, granted, ask } = asked()
  for (const ticket of [1, 2, 3]) ask(one, ticket, 'a')
  ask(two, 1, 'a')
  ask(two, 2, 'a')
  permits.releaseAll(one)
  expect(granted).toEqual(['one:1', 'one:2', 'two:1', 'two:2'])
})

it('counts a host once in all its spellings', () => {
  const { granted, ask } = asked()
  ask(one, 1, 'Gravador.local')
  ask(one, 2, 'gravador.local.')
  ask(two, 1, 'gravador.local')
  ask(one, 3, '127.0.0.1')
  ask(two, 2, '::ffff:127.0.0.1')
  ask(two, 3, '[::ffff:7f00:1]')
  expect(granted).toEqual(['one:1', 'one:2', 'one:3', 'two:2'])
})

it('counts connections of the main process together with the streams', async () => {
  const { permits, granted, ask } = asked()
  const own = createOwnPermits(permits)
  const { signal } = new AbortController()
  const release = await own.acquire('a', signal)
  ask(one, 1, 'a')
  ask(one, 2, 'a')
  expect(granted).toEqual(['one:1'])
  const leaving = new AbortController()
  const given = own.acquire('a', leaving.signal)
  leaving.abort()
  expect(await given).toBeNull()
  release?.()
  release?.()
  expect(granted).toEqual(['one:1', 'one:2'])
  let second = false
  const waiting = own.acquire('a', signal).then(() => {
    second = true
  })
  await Promise.resolve()
  expect(second).toBe(false)
  permits.release(one, 1)
  await waiting
})
