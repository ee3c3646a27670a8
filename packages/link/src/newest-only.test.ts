import { expect, it } from 'vitest'
import { ownLineage } from './edge-lineage.ts'
import { createNewestOnly } from './newest-only.ts'
import { createShares } from './shares.ts'

const item = (size: number) => Buffer.alloc(size)
const spaceOf = (bytes: number) => ({
  shares: createShares({ edge: bytes, empresa: bytes, root: bytes, installation: bytes }),
  lineageOf: ownLineage,
})

it('runs the first and the newest item of a flood, one at a time, and other edges in parallel', async () => {
  const events: string[] = []
  const gate = Promise.withResolvers<void>()
  const newest = createNewestOnly<Buffer>(1, spaceOf(1e6), async (key, payload) => {
    events.push(`${key}:${payload.length}>`)
    if (key === 1) await gate.promise
    events.push(`${key}:${payload.length}<`)
  })
  for (let size = 1; size <= 1_000; size += 1) newest.push(1, item(size))
  newest.push(2, item(9))
  await expect.poll(() => events).toEqual(['1:1>', '2:9>', '2:9<'])
  gate.resolve()
  await expect.poll(() => events.slice(3)).toEqual(['1:1<', '1:1000>', '1:1000<'])
})

it('pauses after each item and runs nothing after stop', async () => {
  const began: number[] = []
  const newest = createNewestOnly<Buffer>(100, spaceOf(1e6), async () => void began.push(performance.now()))
  newest.push(1, item(1))
  newest.push(1, item(2))
  await expect.poll(() => began).toHaveLength(2)
  expect((began[1] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(95)

  newest.push(2, item(1))
  newest.push(2, item(2))
  newest.stop()
  newest.push(3, item(1))
  await expect.poll(() => performance.now() - (began[1] ?? 0)).toBeGreaterThan(250)
  expect(began).toHaveLength(4)
})

it('holds no more bytes than the shares allow, and gives them back', async () => {
  const gate = Promise.withResolvers<void>()
  const space = spaceOf(100)
  const seen: number[] = []
  const newest = createNewestOnly<Buffer>(1, space, async (_edge, payload) => {
    seen.push(payload.length)
    await gate.promise
  })
  const push = (size: number) => newest.push(1, item(size), size)
  expect([push(30), push(40), push(50), push(20)]).toEqual([true, true, false, true])
  expect(space.shares.used).toBe(50)
  gate.resolve()
  await expect.poll(() => seen).toEqual([30, 20])
  await expect.poll(() => space.shares.used).toBe(0)
})
