import { expect, it } from 'vitest'
import { type AgeState, type BoxClocks, stepAges, takenOver } from './age-step.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS
const NOON = Date.UTC(2026, 10, 21, 12)
const nobody: BoxClocks = { linked: 0, agreeing: 0 }
const most: BoxClocks = { linked: 3, agreeing: 2 }

/** A wall clock that differs from the true time. */
interface Wrong {
  readonly start: number
  readonly ahead: number
  readonly boxes: BoxClocks
}

function run(state: AgeState, hours: number, { start, ahead, boxes }: Wrong) {
  let after = state
  for (let hour = 1; hour <= hours; hour += 1)
    after = stepAges(after, { elapsedMs: HOUR_MS, wall: start + hour * HOUR_MS + ahead, boxes })
  return after
}

it('ages follow the wall clock, and a small correction of it', () => {
  const after = run(takenOver(NOON, null), 48, { start: NOON, ahead: 10 * HOUR_MS, boxes: nobody })
  expect(after).toMatchObject({ time: NOON + 58 * HOUR_MS, duvidaDesde: null })
})

it('a clock a year ahead is never taken over without a box', () => {
  const after = run(takenOver(NOON, null), 24 * 30, { start: NOON, ahead: YEAR_MS, boxes: nobody })
  expect(after).toMatchObject({ time: NOON + 30 * DAY_MS, duvidaDesde: NOON + HOUR_MS, desvioMs: YEAR_MS })
})

it('small jumps that sum to more than a day within a day are in doubt too', () => {
  let state = takenOver(NOON, null)
  for (let jump = 1; jump <= 3; jump += 1)
    state = stepAges(state, { elapsedMs: HOUR_MS, wall: state.time + 11 * HOUR_MS, boxes: nobody })
  expect(state.duvidaDesde).not.toBeNull()
  expect(state.time).toBe(NOON + 23 * HOUR_MS)
})

it('a clock that most boxes confirm for 24 hours is taken over, and not before', () => {
  const wrong = takenOver(NOON - YEAR_MS, null)
  const at = { start: NOON, ahead: 0, boxes: most }
  expect(run(wrong, 24, at).duvidaDesde).not.toBeNull()
  expect(run(wrong, 25, at)).toMatchObject({ time: NOON + 25 * HOUR_MS, duvidaDesde: null })
})

it('an hour of disagreement begins the 24 hours again', () => {
  const wrong = takenOver(NOON - YEAR_MS, null)
  const first = run(wrong, 20, { start: NOON, ahead: 0, boxes: most })
  const half: BoxClocks = { linked: 4, agreeing: 2 }
  const second = run(first, 1, { start: NOON + 20 * HOUR_MS, ahead: 0, boxes: half })
  expect(run(second, 20, { start: NOON + 21 * HOUR_MS, ahead: 0, boxes: most }).duvidaDesde).not.toBeNull()
})

it('a clock set back keeps the ages that were certain', () => {
  const after = run(takenOver(NOON, null), 3, { start: NOON, ahead: -YEAR_MS, boxes: nobody })
  expect(after).toMatchObject({ time: NOON + 3 * HOUR_MS, desvioMs: -YEAR_MS })
})
