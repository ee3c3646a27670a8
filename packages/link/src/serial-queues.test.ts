import { describe, expect, it } from 'vitest'
import { createSerialQueues } from './serial-queues.ts'

const item = (size: number) => Buffer.alloc(size)
const roomy = { perKey: 100, bytesPerKey: 1e6, bytes: 1e6 }

describe('serial queues', () => {
  it('runs items of one key in order, one at a time, and other keys in parallel', async () => {
    const events: string[] = []
    const gate = Promise.withResolvers<void>()
    const queues = createSerialQueues(roomy, async (key, payload) => {
      events.push(`${key}:${payload.length}>`)
      if (key === 1) await gate.promise
      events.push(`${key}:${payload.length}<`)
    })
    for (const size of [1, 2, 3]) queues.push(1, item(size), null)
    queues.push(2, item(9), null)
    await expect.poll(() => events).toEqual(['1:1>', '2:9>', '2:9<'])
    gate.resolve()
    await queues.idle()
    expect(events.slice(3)).toEqual(['1:1<', '1:2>', '1:2<', '1:3>', '1:3<'])
  })

  it.each([
    ['items of a key', { perKey: 2, bytesPerKey: 100, bytes: 100 }],
    ['bytes of a key', { perKey: 9, bytesPerKey: 20, bytes: 100 }],
    ['bytes that are still free', { perKey: 9, bytesPerKey: 100, bytes: 39 }],
  ])('drops items above the %s, and accepts items again once there is space', async (_what, limits) => {
    const gate = Promise.withResolvers<void>()
    const queues = createSerialQueues(limits, () => gate.promise)
    const accepted = [queues.push(1, item(10), null), queues.push(1, item(10), null), queues.push(1, item(10), null)]
    expect(accepted).toEqual([true, true, false])
    gate.resolve()
    await queues.idle()
    expect(queues.push(1, item(10), null)).toBe(true)
  })

  it('leaves space for an idle key however much the other keys send', async () => {
    const gate = Promise.withResolvers<void>()
    const queues = createSerialQueues({ perKey: 64, bytesPerKey: 24, bytes: 256 }, () => gate.promise)
    for (let round = 0; round < 24; round += 1) for (let key = 1; key <= 30; key += 1) queues.push(key, item(1), null)
    for (let key = 101; key <= 103; key += 1) expect(queues.push(key, item(2), null)).toBe(true)
    gate.resolve()
    await queues.idle()
  })

  it('rejects an item larger than the free space', () => {
    const queues = createSerialQueues({ perKey: 9, bytesPerKey: 100, bytes: 20 }, () => new Promise(() => {}))
    const accepted = [queues.push(1, item(15), null), queues.push(2, item(6), null), queues.push(2, item(5), null)]
    expect(accepted).toEqual([true, false, true])
  })
})
