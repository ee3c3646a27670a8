import { describe, expect, it } from 'vitest'
import { ownLineage } from './edge-lineage.ts'
import { createSerialQueues } from './serial-queues.ts'
import { createShares } from './shares.ts'

const item = (size: number) => Buffer.alloc(size)
const roomy = { edge: 1e6, installation: 1e6 }
/** Queues whose edges have roots of their own. */
const queuesOf = (
  perEdge: number,
  { edge, installation }: typeof roomy,
  run: (edgeId: number, payload: Buffer) => Promise<void>,
) =>
  createSerialQueues<null>(
    perEdge,
    { shares: createShares({ edge, empresa: edge, root: edge, installation }), lineageOf: ownLineage },
    run,
  )

describe('serial queues', () => {
  it('runs items of one edge in order, one at a time, and other edges in parallel', async () => {
    const events: string[] = []
    const gate = Promise.withResolvers<void>()
    const queues = queuesOf(100, roomy, async (key, payload) => {
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
    ['items of an edge', 2, { edge: 100, installation: 100 }],
    ['bytes of an edge', 9, { edge: 20, installation: 100 }],
    ['bytes that are still free', 9, { edge: 100, installation: 39 }],
  ])('drops items above the %s, and accepts items again once there is space', async (_what, perEdge, limits) => {
    const gate = Promise.withResolvers<void>()
    const queues = queuesOf(perEdge, limits, () => gate.promise)
    const accepted = [queues.push(1, item(10), null), queues.push(1, item(10), null), queues.push(1, item(10), null)]
    expect(accepted).toEqual([true, true, false])
    gate.resolve()
    await queues.idle()
    expect(queues.push(1, item(10), null)).toBe(true)
  })

  it('leaves space for an idle edge however much the others send', async () => {
    const gate = Promise.withResolvers<void>()
    const queues = queuesOf(64, { edge: 24, installation: 256 }, () => gate.promise)
    for (let round = 0; round < 24; round += 1) for (let key = 1; key <= 30; key += 1) queues.push(key, item(1), null)
    for (let key = 101; key <= 103; key += 1) expect(queues.push(key, item(2), null)).toBe(true)
    gate.resolve()
    await queues.idle()
  })

  it('rejects an item larger than the free space', () => {
    const queues = queuesOf(9, { edge: 100, installation: 20 }, () => new Promise(() => {}))
    const accepted = [queues.push(1, item(15), null), queues.push(2, item(6), null), queues.push(2, item(5), null)]
    expect(accepted).toEqual([true, false, true])
  })

  it('twenty edges of one Empresa take no more memory than an Empresa may', async () => {
    const gate = Promise.withResolvers<void>()
    const shares = createShares({ edge: 24, empresa: 48, root: 96, installation: 256 })
    const lineageOf = (edgeId: number) =>
      edgeId <= 20 ? { root: 'r', empresa: 'e', edge: `${edgeId}` } : ownLineage(edgeId)
    const queues = createSerialQueues<null>(64, { shares, lineageOf }, () => gate.promise)
    let accepted = 0
    for (let round = 0; round < 24; round += 1)
      for (let edgeId = 1; edgeId <= 20; edgeId += 1) if (queues.push(edgeId, item(1), null)) accepted += 1
    expect(accepted).toBe(48)
    for (let round = 0; round < 24; round += 1) expect(queues.push(21, item(1), null)).toBe(true)
    gate.resolve()
    await queues.idle()
    expect(shares.used).toBe(0)
  })
})
