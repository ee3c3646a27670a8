import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import type { ConnectionUse } from '../capture/connection-slots.ts'
import { createHostSlots, createOwnSlots } from './host-slots.ts'

const [one, two] = [{}, {}]

function asked() {
  const slots = createHostSlots(2)
  const granted: string[] = []
  return {
    slots,
    granted,
    ask: (owner: object, ticket: number, host: string) =>
      slots.request(owner, { ticket, host, use: 'request' }, (kind) => {
        if (kind === 'granted') granted.push(`${owner === one ? 'one' : 'two'}:${ticket}`)
      }),
  }
}

it('allows two simultaneous attempts per host over all processes and the next after a release', () => {
  const { slots, granted, ask } = asked()
  ask(one, 1, 'a')
  ask(two, 1, 'a')
  ask(one, 2, 'a')
  ask(one, 3, 'b')
  expect(granted).toEqual(['one:1', 'two:1', 'one:3'])
  slots.release(two, 1)
  expect(granted.at(-1)).toBe('one:2')
  slots.release(two, 1)
  expect(granted).toHaveLength(4)
})

it('forgets withdrawn requests', () => {
  const { slots, granted, ask } = asked()
  for (const ticket of [1, 2, 3, 4]) ask(one, ticket, 'a')
  slots.release(one, 3)
  slots.release(one, 1)
  expect(granted).toEqual(['one:1', 'one:2', 'one:4'])
})

it('releases the slots of a dead process', () => {
  const { slots, granted, ask } = asked()
  for (const ticket of [1, 2, 3]) ask(one, ticket, 'a')
  ask(two, 1, 'a')
  ask(two, 2, 'a')
  slots.releaseAll(one)
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
  const { slots, granted, ask } = asked()
  const own = createOwnSlots(slots)
  const { signal } = new AbortController()
  const slot = await own.acquire({ host: 'a', use: 'request', signal })
  ask(one, 1, 'a')
  ask(one, 2, 'a')
  expect(granted).toEqual(['one:1'])
  const leaving = new AbortController()
  const given = own.acquire({ host: 'a', use: 'request', signal: leaving.signal })
  leaving.abort()
  expect(await given).toBeNull()
  slot?.release()
  slot?.release()
  expect(granted).toEqual(['one:1', 'one:2'])
  let second = false
  const waiting = own.acquire({ host: 'a', use: 'request', signal }).then(() => {
    second = true
  })
  await Promise.resolve()
  expect(second).toBe(false)
  slots.release(one, 1)
  await waiting
})

describe('a recorder with a declared limit', () => {
  /** Two attempts at a time; the end of a connection is noticed at once. */
  function limited(connections: number, cameras: number) {
    const slots = createHostSlots(2, { closingMs: 0 })
    slots.limit([{ host: 'a', connections, cameras }])
    const answers: string[] = []
    let ticket = 0
    const open = (use: ConnectionUse, host = 'a') => {
      const id = ++ticket
      slots.request(one, { ticket: id, host, use }, (kind) => {
        answers.push(`${use} ${kind}`)
        if (kind === 'granted') slots.opened(one, id)
      })
      return () => slots.release(one, id)
    }
    return { slots, answers, open }
  }

  it('keeps a connection for each analysed camera, and gives the others to a viewer before a playback', async () => {
    const { answers, open } = limited(3, 2)
    open('analysis')
    const closeArchive = open('archive')
    open('live')
    expect(answers).toEqual(['analysis granted', 'archive granted', 'archive revoked'])
    closeArchive()
    await waitFor('the viewer', () => answers.includes('live granted'))
    open('live')
    open('request')
    open('analysis')
    expect(answers.slice(4)).toEqual(['live full', 'request full', 'analysis granted'])
    open('analysis')
    open('http')
    open('archive', 'b')
    expect(answers.slice(7)).toEqual(['live revoked', 'http granted', 'archive granted'])
  })

  it('serves the request that waits when a connection is closed', async () => {
    const { answers, open } = limited(1, 1)
    const close = open('analysis')
    open('analysis')
    expect(answers).toEqual(['analysis granted', 'analysis full'])
    close()
    expect(answers).toHaveLength(2)
    await waitFor('the second camera', () => answers.length === 3)
  })

  it('revokes what a smaller limit or another camera leaves no connection for', () => {
    const { slots, answers, open } = limited(4, 1)
    for (const use of ['analysis', 'live', 'archive', 'request'] as const) open(use)
    slots.limit([{ host: 'A', connections: 3, cameras: 2 }])
    expect(answers.slice(4)).toEqual(['request revoked', 'archive revoked'])
  })
})
