import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const LIMITS = { atOnce: 2, waiting: 3, turnMs: 60_000 }

/** Tasks that end on `end(name)`; `begun`: names of the started tasks. */
function controlled() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, task, end: (name: string) => ends.get(name)?.() }
}

describe('turns', () => {
  it('run up to `atOnce` tasks of one holder in parallel, and tasks of another holder at once', async () => {
    const turns = createTurns(LIMITS)
    const { begun, task, end } = controlled()
    const done = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.run('a', task(name)))
    done.push(turns.run('b', task('b1')))
    await setImmediate()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    end('a2')
    await done[1]
    await setImmediate()
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
    for (const name of ['a1', 'a3', 'b1']) end(name)
    await Promise.all([done[0], done[2], done[4]])
    await setImmediate()
    end('a4')
    expect(await done[3]).toBe('a4')
  })

  it('refuse a task when too many tasks of its holder wait', async () => {
    const turns = createTurns(LIMITS)
    const { task, end } = controlled()
    const running = ['1', '2', '3', '4', '5'].map((name) => turns.run('a', task(name)))
    await expect(turns.run('a', task('6'))).rejects.toMatchObject({ code: 'muitas_requisicoes', tentarEmS: 1 })
    const other = turns.run('b', task('other'))
    await setImmediate()
    end('other')
    await other
    for (const name of ['1', '2', '3', '4', '5']) {
      await setImmediate()
      end(name)
    }
    await Promise.all(running)
  })

  it('become free after a failed task and after `turnMs` of a slow one', async () => {
    const turns = createTurns({ ...LIMITS, atOnce: 1, turnMs: 10 })
    await expect(turns.run('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    const slow = Promise.withResolvers<string>()
    const first = turns.run('a', () => slow.promise)
    expect(await turns.run('a', async () => 'second')).toBe('second')
    slow.resolve('first')
    expect(await first).toBe('first')
    expect(await turns.run('a', async () => 'third')).toBe('third')
  })

  it('begin the next task of a holder after other work of the event loop', async () => {
    const turns = createTurns({ ...LIMITS, atOnce: 1 })
    const order: string[] = []
    const first = turns.run('a', async () => order.push('a1'))
    const second = turns.run('a', async () => order.push('a2'))
    setImmediate().then(() => order.push('other'))
    await Promise.all([first, second])
    expect(order).toEqual(['a1', 'other', 'a2'])
  })
})
