import { setTimeout as wait } from 'node:timers/promises'
import { type EdgeLineage, ownLineage } from '@vigia/link/edge-lineage'
import { describe, expect, it } from 'vitest'
import { AT_ONCE_OF_ROOT, createIngestTurns, ratesFor } from './ingest-turns.ts'

const now = () => performance.now()
/** Twenty boxes of one Empresa, and those of a neighbour from 100 on. */
const lineageOf = (edgeId: number): EdgeLineage => {
  const name = edgeId < 100 ? 'hostile' : 'neighbour'
  return { root: name, empresa: name, edge: `${edgeId}` }
}
const turnsOf = (records: number, bytes: number, of = ownLineage) =>
  createIngestTurns({ limits: { records: ratesFor(records), bytes: ratesFor(bytes) }, lineageOf: of, monotonic: now })

describe('the turns of ingest', () => {
  it('admits a burst, then a limited rate of records, with a fixed cost for each batch', async () => {
    const turns = turnsOf(1_000, 1e12)
    const begun = now()
    let records = 0
    // A batch of 64 records costs 80. After one second of burst each batch takes 80 ms.
    for (let i = 0; i < 18; i += 1)
      await turns.run(1, 0, async () => {
        records += 64
        return 64
      })
    const tookMs = now() - begun
    expect(records).toBe(1_152)
    expect(tookMs).toBeGreaterThan(350)
  })

  it('charges the records beyond 64 of one batch fourfold', async () => {
    const turns = turnsOf(1_000, 1e12)
    const begun = now()
    for (let i = 0; i < 3; i += 1) await turns.run(1, 0, async () => 256)
    // Each batch costs 848 records, so that the third runs after 1.7 s minus one second of burst.
    expect(now() - begun).toBeGreaterThan(690)
  })

  it('limits bytes too, even for failed batches', async () => {
    const turns = turnsOf(1e9, 10_000)
    const begun = now()
    const failing = () => Promise.reject(new Error('unreadable'))
    for (let i = 0; i < 3; i += 1) await expect(turns.run(1, 8_000, failing)).rejects.toThrow('unreadable')
    // Each batch takes 0.8 s, so that the third runs after 1.6 s minus one second of burst.
    expect(now() - begun).toBeGreaterThan(590)
  })

  it('does not delay other edges', async () => {
    const turns = turnsOf(10, 1e12)
    await turns.run(1, 0, async () => 1_000_000)
    let ran = false
    void turns.run(1, 0, async () => {
      ran = true
      return 0
    })
    for (let edge = 2; edge < 50; edge += 1) await turns.run(edge, 0, async () => 5)
    expect(ran).toBe(false)
  })

  it('serves a waiting edge before the second batch of another', async () => {
    const turns = turnsOf(1e9, 1e12)
    const order: number[] = []
    const work = (edge: number) => async () => {
      order.push(edge)
      await wait(1)
      return 1
    }
    const chain = async (edge: number, n: number) => {
      for (let i = 0; i < n; i += 1) await turns.run(edge, 0, work(edge))
    }
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((edge) => chain(edge, 10)))
    for (let round = 0; round < 10; round += 1)
      expect(order.slice(round * 8, round * 8 + 8).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('yields to the event loop between two batches', async () => {
    const turns = turnsOf(1e9, 1e12)
    let passes = 0
    let going = true
    const count = () => {
      passes += 1
      if (going) setImmediate(count)
    }
    setImmediate(count)
    const chain = async (edge: number) => {
      for (let i = 0; i < 50; i += 1) await turns.run(edge, 0, async () => 1)
    }
    await Promise.all([1, 2, 3, 4, 5].map(chain))
    going = false
    expect(passes).toBeGreaterThan(50)
  })

  it('runs one batch of a neighbour for each batch of twenty boxes of one root', async () => {
    const turns = turnsOf(1e9, 1e12, lineageOf)
    const order: number[] = []
    const chain = async (edge: number, n: number) => {
      for (let i = 0; i < n; i += 1)
        await turns.run(edge, 0, async () => {
          order.push(edge)
          await new Promise(setImmediate)
          return 1
        })
    }
    const hostile = Array.from({ length: 20 }, (_, box) => chain(box + 1, 20))
    await Promise.all([...hostile, chain(100, 10)])
    const positions = order.flatMap((edge, at) => (edge === 100 ? [at] : []))
    const between = positions.slice(1).map((at, index) => at - (positions[index] ?? 0) - 1)
    // With turns of edges alone twenty batches of the other root run between two of the neighbour.
    expect(Math.max(...between)).toBeLessThanOrEqual(2 * AT_ONCE_OF_ROOT)
  })

  it('after an attack ends, its waiting batches do not delay a neighbour', async () => {
    const turns = turnsOf(1e9, 1e12, lineageOf)
    const order: number[] = []
    const work = (edge: number) => async () => {
      order.push(edge)
      await new Promise(setImmediate)
      return 1
    }
    const backlog = Array.from({ length: 400 }, (_, i) => turns.run((i % 20) + 1, 0, work(1)))
    await turns.run(100, 0, work(100))
    expect(order.indexOf(100)).toBeLessThanOrEqual(2 * AT_ONCE_OF_ROOT)
    await Promise.all(backlog)
  })

  it('one root never occupies every slot', async () => {
    const turns = turnsOf(1e9, 1e12, lineageOf)
    const gate = Promise.withResolvers<number>()
    let begun = 0
    const held = Array.from({ length: 20 }, (_, box) =>
      turns.run(box + 1, 0, () => {
        begun += 1
        return gate.promise
      }),
    )
    await turns.run(100, 0, async () => 1)
    expect(begun).toBe(AT_ONCE_OF_ROOT)
    gate.resolve(1)
    await Promise.all(held)
  })

  it('limits the records of all boxes of an Empresa together, and not a neighbour', async () => {
    const clock = { now: 0 }
    const turns = createIngestTurns({
      limits: { records: ratesFor(1_000), bytes: ratesFor(1e12) },
      lineageOf,
      monotonic: () => clock.now,
    })
    let stored = 0
    // Twenty boxes, each far below its own rate: together 20 x 80 x 2 records of cost in one instant.
    for (let round = 0; round < 2; round += 1)
      for (let box = 1; box <= 20; box += 1)
        void turns.run(box, 0, async () => {
          stored += 64
          return 64
        })
    await turns.run(100, 0, async () => 64)
    for (let i = 0; i < 200; i += 1) await new Promise(setImmediate)
    // 2,000 a second of one Empresa, with a burst of one second: a batch costs 80.
    expect(stored).toBe(64 * 26)
    await turns.run(100, 0, async () => 64)
  })
})
