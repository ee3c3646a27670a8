import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amend, redo, startHistory, step, undo } from './edit-history.ts'

it('returns through all states, and forward again', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 100 }), (states) => {
      const [first, ...rest] = states as [number, ...number[]]
      const end = rest.reduce(step<number>, startHistory(first))
      let back = end
      for (const state of states.toReversed()) {
        expect(back.present).toBe(state)
        back = undo(back)
      }
      expect(undo(back)).toBe(back)
      let forward = back
      for (const state of states) {
        expect(forward.present).toBe(state)
        forward = redo(forward)
      }
      expect(redo(forward)).toBe(forward)
      expect(forward).toEqual(end)
    }),
  )
})

it('drops the undone states at a new step, and ignores an unchanged state', () => {
  const undone = undo(step(step(startHistory('a'), 'b'), 'c'))
  expect(step(undone, 'b')).toBe(undone)
  expect(step(undone, 'd')).toEqual({ past: ['a', 'b'], present: 'd', future: [] })
})

it('keeps a limited number of steps', () => {
  const long = Array.from({ length: 500 }, (_, i) => i + 1).reduce(step<number>, startHistory(0))
  expect(long.past.length).toBe(200)
  expect(long.past[0]).toBe(300)
})

it('amends the present state without a step', () => {
  const named = amend(step(startHistory(''), 'P'), 'Portão')
  expect(named).toEqual({ past: [''], present: 'Portão', future: [] })
  expect(undo(named).present).toBe('')
})
