import { expect, it } from 'vitest'
import { createFlapping } from './flapping.ts'

/** Ends at these seconds; returns the period that is known `laterS` seconds later. */
function periodOf(endsS: readonly number[], laterS = 1): number | null {
  let atMs = 0
  const flapping = createFlapping(() => atMs)
  for (const endS of endsS) {
    atMs = endS * 1000
    flapping.ended()
  }
  atMs += laterS * 1000
  return flapping.periodS()
}

it.each([
  [[60, 120, 181, 240], 60],
  [[7, 60, 120, 181, 240, 302], 61],
  [[0, 86_400, 172_700, 259_300], 86_433],
])('knows the period of regular ends %j', (ends, period) => {
  expect(periodOf(ends)).toBe(period)
})

it.each([
  ['few', [60, 120, 180], 1],
  ['irregular', [60, 120, 300, 340], 1],
  ['over', [60, 120, 180, 240], 121],
])('knows none: %s', (_name, ends, laterS) => {
  expect(periodOf(ends, laterS)).toBeNull()
})
