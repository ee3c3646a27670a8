import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPace } from './pace.ts'

const now = () => performance.now()
const generous = { recordsPerS: 1e9, bytesPerS: 1e12 }

describe('the pace of ingest', () => {
  it('admits a burst, then a limited rate of records, with a fixed cost for each batch', async () => {
    const pace = createPace({ recordsPerS: 1_000, bytesPerS: 1e12 }, now)
    const begun = now()
    let records = 0
    // A batch of 64 records costs 80. After one second of burst each batch takes 80 ms.
    for (let i = 0; i < 18; i += 1)
      await pace.run(1, 0, async () => {
        records += 64
        return 64
      })
    const tookMs = now() - begun
    expect(records).toBe(1_152)
    expect(tookMs).toBeGreaterThan(350)
    expect(tookMs).toBeLessThan(4_000)
  })

  it('charges the records beyond 64 of one batch fourfold', async () => {
    const pace = createPace({ recordsPerS: 1_000, bytesPerS: 1e12 }, now)
    const begun = now()
    for (let i = 0; i < 3; i += 1) await pace.run(1, 0, async () => 256)
    // Each batch costs 848 records, so that the third runs after 1.7 s minus one second of burst.
    expect(now() - begun).toBeGreaterThan(690)
  })

  it('limits bytes too, even for failed batches', async () => {
    const pace = createPace({ recordsPerS: 1e9, bytesPerS: 10_000 }, now)
    const begun = now()
    const failing = () => Promise.reject(new Error('unreadable'))
    for (let i = 0; i < 3; i += 1) await expect(pace.run(1, 8_000, failing)).rejects.toThrow('unreadable')
    // Each batch takes 0.8 s, so that the third runs after 1.6 s minus one second of burst.
    expect(now() - begun).toBeGreaterThan(590)
  })

  it('does not delay other edges', async () => {
    const pace = createPace({ recordsPerS: 10, bytesPerS: 1e12 }, now)
    await pace.run(1, 0, async () => 1_000_000)
    let ran = false
    void pace.run(1, 0, async () => {
      ran = true
      return 0
    })
    for (let edge = 2; edge < 50; edge += 1) await pace.run(edge, 0, async () => 5)
    expect(ran).toBe(false)
  })

  it('serves a waiting edge before the second batch of another', async () => {
    const pace = createPace(generous, now)
    const order: number[] = []
    const work = (edge: number) => async () => {
      order.push(edge)
      await wait(1)
      return 1
    }
    const chain = async (edge: number, n: number) => {
      for (let i = 0; i < n; i += 1) await pace.run(edge, 0, work(edge))
    }
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((edge) => chain(edge, 10)))
    for (let round = 0; round < 10; round += 1)
      expect(order.slice(round * 8, round * 8 + 8).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('yields to the event loop between two batches', async () => {
    const pace = createPace(generous, now)
    let turns = 0
    let going = true
    const count = () => {
      turns += 1
      if (going) setImmediate(count)
    }
    setImmediate(count)
    const chain = async (edge: number) => {
      for (let i = 0; i < 50; i += 1) await pace.run(edge, 0, async () => 1)
    }
    await Promise.all([1, 2, 3, 4, 5].map(chain))
    going = false
    expect(turns).toBeGreaterThan(50)
  })
})
