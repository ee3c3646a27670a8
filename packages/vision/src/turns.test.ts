import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that lasts until `finish` and records its start. */
function work(log: string[], name: string) {
  const { promise, resolve: finish, reject: fail } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const run = async () => {
    log.push(name)
    begin()
    await promise
  }
  return { run, begun, finish, fail }
}

describe('createTurns', () => {
  it('runs one work at a time, at once when none is waiting', async () => {
    const turns = createTurns()
    const log: string[] = []
    const [first, second] = [work(log, 'a'), work(log, 'b')]
    const taken = [turns.take(1, first.run), turns.take(2, second.run)]
    expect(log).toEqual(['a'])
    expect(turns.waiting()).toBe(1)
    first.finish()
    await second.begun
    expect(log).toEqual(['a', 'b'])
    second.finish()
    expect(await Promise.all(taken)).toEqual([true, true])
    expect(turns.waiting()).toBe(0)
  })

  it('replaces the waiting work of a key by its newest and keeps the order', async () => {
    const turns = createTurns()
    const log: string[] = []
    const running = work(log, 'running')
    const first = turns.take(1, running.run)
    const old = turns.take(2, async () => void log.push('2 old'))
    const other = turns.take(3, async () => void log.push('3'))
    const newer = turns.take(2, async () => void log.push('2 new'))
    expect(await old).toBe(false)
    expect(turns.waiting()).toBe(2)
    running.finish()
    expect(await Promise.all([first, other, newer])).toEqual([true, true, true])
    expect(log).toEqual(['running', '2 new', '3'])
  })

  it('gives every key its turn, also when one calls more often', async () => {
    const turns = createTurns()
    const served = new Map<number, number>()
    let left = 400
    const ask = async (key: number): Promise<void> => {
      // Key 1 calls ten times as often as the others.
      const eager = Array.from({ length: key === 1 ? 10 : 1 }, () =>
        turns.take(key, async () => {
          left--
          served.set(key, (served.get(key) ?? 0) + 1)
          expect(turns.waiting()).toBeLessThanOrEqual(4)
        }),
      )
      await Promise.all(eager)
      if (left > 0) await ask(key)
    }
    await Promise.all([1, 2, 3, 4].map(ask))
    // The first work of key 1 may start at once beside the waiting one: at most two turns a round.
    const others = [2, 3, 4].map((key) => served.get(key) ?? 0)
    expect(Math.max(...others) - Math.min(...others)).toBeLessThanOrEqual(1)
    expect(served.get(1)).toBeLessThanOrEqual(Math.max(...others) * 2 + 2)
  })

  it('rejects only the promise of the failed work', async () => {
    const turns = createTurns()
    const failing = turns.take(1, async () => {
      throw new Error('camera 1')
    })
    const thrown = turns.take(2, () => {
      throw new Error('camera 2')
    })
    const fine = turns.take(3, async () => undefined)
    await expect(failing).rejects.toThrow('camera 1')
    await expect(thrown).rejects.toThrow('camera 2')
    expect(await fine).toBe(true)
    expect(await turns.take(1, async () => undefined)).toBe(true)
  })
})
