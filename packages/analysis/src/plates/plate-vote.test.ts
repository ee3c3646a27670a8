import { expect, it } from 'vitest'
import { plateSyntaxes } from './plate-syntax.ts'
import { createPlateVote } from './plate-vote.ts'

const [syntax] = plateSyntaxes as [(typeof plateSyntaxes)[number]]
const reading = (placa: string, chance: number) => ({ placa, chance, syntax })

it('has no result before the first reading', () => {
  const vote = createPlateVote()
  vote.add([], 20)
  expect(vote.result()).toBeNull()
})

it('outvotes one wrong frame, and names it as a candidate', () => {
  const vote = createPlateVote()
  vote.add([reading('ABC1234', 0.6), reading('ABC1284', 0.3)], 20)
  vote.add([reading('ABC1284', 0.9)], 20)
  vote.add([reading('ABC1234', 0.9)], 20)
  vote.add([reading('ABC1234', 0.8)], 20)
  const result = vote.result()
  expect(result).toMatchObject({ placa: 'ABC1234', frames: 4, candidates: [{ placa: 'ABC1284' }] })
  expect(result?.chance).toBeGreaterThan(0.8)
})

it('stays below any threshold while frames disagree', () => {
  const vote = createPlateVote()
  vote.add([reading('ABC1234', 0.5)], 20)
  vote.add([reading('ABC1284', 0.5)], 20)
  expect(vote.result()?.chance).toBeLessThan(0.6)
})

it('gains certainty with each frame that agrees', () => {
  const vote = createPlateVote()
  vote.add([reading('ABC1234', 0.6)], 20)
  const once = vote.result()?.chance ?? 1
  vote.add([reading('ABC1234', 0.6)], 20)
  expect(vote.result()?.chance).toBeGreaterThan(once)
})

it('trusts the frame in which the plate is largest', () => {
  const vote = createPlateVote()
  for (const heightPx of [8, 9, 10]) vote.add([reading('ABC1284', 0.7)], heightPx)
  for (const heightPx of [24, 26]) vote.add([reading('ABC1234', 0.8)], heightPx)
  expect(vote.result()?.placa).toBe('ABC1234')
})

it('counts a text once a frame', () => {
  const [once, twice] = [createPlateVote(), createPlateVote()]
  once.add([reading('ABC1234', 0.6)], 20)
  twice.add([reading('ABC1234', 0.6), reading('ABC1234', 0.6)], 20)
  expect(twice.result()?.chance).toBe(once.result()?.chance)
})

it('stays careful between round letters, however many frames repeat them', () => {
  const [doubtful, clear] = [createPlateVote(), createPlateVote()]
  for (let frame = 0; frame < 10; frame++) {
    doubtful.add([reading('OUO6314', 0.5), reading('OUQ6314', 0.35)], 20)
    clear.add([reading('OUO6314', 0.85), reading('OUQ6314', 0.01)], 20)
  }
  expect(doubtful.result()?.chance).toBeLessThan(0.8)
  expect(clear.result()?.chance).toBeGreaterThan(0.9)
})
