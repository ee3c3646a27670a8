import { expect, it } from 'vitest'
import { createRates } from './rates.ts'

const clock = { now: 0 }
const of = (edge: number) => ({ root: 'r', empresa: edge <= 20 ? 'hostile' : 'sister', edge: `${edge}` })
const limits = { bytes: { edge: 100, empresa: 200, root: 300 } }
const rates = () => createRates(limits, 1_000, () => clock.now)

it('bounds an edge, an Empresa and a root, each by its own rate after a burst', () => {
  clock.now = 0
  const one = rates()
  one.charge(of(1), { bytes: 250 })
  // 250 bytes take the edge 2.5 s, the Empresa 1.25 s and the root 0.8 s; a burst of 1 s is free.
  expect(one.unitWaitMs('edge', '1')).toBe(1_500)
  expect(one.unitWaitMs('empresa', 'hostile')).toBe(250)
  expect(one.unitWaitMs('root', 'r')).toBe(0)
  expect(one.waitMs(of(1))).toBe(1_500)
  clock.now = 1_500
  expect(one.waitMs(of(1))).toBe(0)
})

it('twenty edges of one Empresa send no more than the Empresa may, and a sister Empresa sends on', () => {
  clock.now = 0
  const twenty = rates()
  let passed = 0
  for (clock.now = 0; clock.now < 10_000; clock.now += 10)
    for (let edge = 1; edge <= 20; edge += 1)
      if (twenty.waitMs(of(edge)) === 0) {
        twenty.charge(of(edge), { bytes: 1 })
        passed += 1
      }
  // 200 a second for 10 s, and a burst of 1 s.
  expect(passed).toBeGreaterThan(2_100)
  expect(passed).toBeLessThan(2_250)
  expect(twenty.waitMs(of(21))).toBe(0)
})

it('counts different things separately', () => {
  clock.now = 0
  const both = createRates(
    { packets: { edge: 1, empresa: 9, root: 9 }, bytes: { edge: 1e6, empresa: 1e6, root: 1e6 } },
    0,
    () => clock.now,
  )
  both.charge(of(1), { packets: 2, bytes: 10 })
  expect(both.waitMs(of(1))).toBe(2_000)
})
