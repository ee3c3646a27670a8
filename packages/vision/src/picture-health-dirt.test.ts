import { expect, it } from 'vitest'
import { createDirtMonitor } from './picture-health-dirt.ts'

const STEP_MS = 60_000
const DAY = (24 * 3_600_000) / STEP_MS

/** The largest value over some days; `share`: detail as a fraction of a clean lens, by the day. */
function most(days: number, share: (day: number) => number): number {
  const monitor = createDirtMonitor()
  let largest = 0
  for (let step = 0; step < days * DAY; step++) {
    const hour = (step % DAY) / (DAY / 24)
    const light = hour > 6 && hour < 18 ? 8 : 3
    largest = Math.max(largest, monitor.dirty(light * share(step / DAY), STEP_MS))
  }
  return largest
}

it('reports dirt that takes half of the detail within ten days', () => {
  expect(most(4, (day) => 1 - 0.06 * day)).toBe(0)
  expect(most(12, (day) => 1 - 0.06 * day)).toBe(1)
})

it.each<readonly [string, (day: number) => number]>([
  ['day and night', () => 1],
  ['fog until noon of every day', (day) => (day % 1 < 0.5 ? 0.3 : 1)],
  ['leaves that fall within months', (day) => 1 - 0.003 * day],
  ['a first night without light', (day) => (day < 0.5 ? 0.1 : 1)],
])('does not report %s', (_, share) => {
  expect(most(40, share)).toBeLessThan(0.6)
})

it('begins again with another view', () => {
  const monitor = createDirtMonitor()
  for (let step = 0; step < 2 * DAY; step++) monitor.dirty(8, STEP_MS)
  monitor.restart()
  for (let step = 0; step < 2 * DAY; step++) expect(monitor.dirty(2, STEP_MS)).toBe(0)
})
