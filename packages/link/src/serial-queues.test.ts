import { describe, expect, it } from 'vitest'
import { createSerialQueues } from './serial-queues.ts'

const item = (size: number) => Buffer.alloc(size)
const roomy = { perKey: 100, bytesPerKey: 1e6, bytes: 1e6 }

describe('serial queues', () => {
  it('runs one key in order, one at a time, and other keys beside it', async () => {
    const events: string[] = []
    const gate = Promise.withResolvers<void>()
    const queues = createSerialQueues(roomy, async (key, payload) => {
      events.push(`${key}:${payload.length}>`)
      if (key === 1) await gate.promise
      events.push(`${key}:${payload.length}<`)
    })
    for (const size of [1, 2, 3]) queues.push(1, item(size))
    queues.push(2, item(9))
    await expect.poll(() => events).toEqual(['1:1>', '2:9>', '2:9<'])
    gate.resolve()
    await queues.idle()
    expect(events.slice(3)).toEqual(['1:1<', '1:2>', '1:2<', '1:3>', '1:3<'])
  })

  it.each([
    ['items of a key', { perKey: 2, bytesPerKey: 100, bytes: 100 }],
    ['bytes of a key', { perKey: 9, bytesPerKey: 20, bytes: 100 }],
    ['bytes in all', { perKey: 9, bytesPerKey: 100, bytes: 20 }],
  ])('drops what exceeds the %s, and takes again once there is room', async (_what, limits) => {
    const gate = Promise.withResolvers<void>()
    const queues = createSerialQueues(limits, () => gate.promise)
    expect([queues.push(1, item(10)), queues.push(1, item(10)), queues.push(1, item(10))]).toEqual([true, true, false])
    gate.resolve()
    await queues.idle()
    expect(queues.push(1, item(10))).toBe(true)
  })
})
