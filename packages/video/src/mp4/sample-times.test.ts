import { describe, expect, it } from 'vitest'
import { createSampleTimes, type Timed } from './sample-times.ts'

/** A linear congruential generator (Numerical Recipes): numbers in [0, 1). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function timesOf(pts: readonly number[], depth?: number): Timed<number>[] {
  const times = createSampleTimes<number>(depth === undefined ? {} : { depth })
  return [...pts.flatMap((value, i) => times.push(i, value)), ...times.flush()]
}

/** Random groups of pictures: irregular intervals, groups of up to three B-frames, sometimes none. */
function randomStream(seed: number): number[] {
  const random = randomNumbers(seed)
  const shown: number[] = [Math.floor(random() * 1e6)]
  for (let i = 1; i < 200; i++) shown.push((shown[i - 1] ?? 0) + 1 + Math.floor(random() * 20_000))
  const decoded: number[] = []
  for (let at = 0; at < shown.length; ) {
    const group = shown.slice(at, at + 1 + Math.floor(random() * 4))
    const [last = 0, ...others] = group.reverse()
    decoded.push(last, ...(random() < 0.5 ? others : others.reverse()))
    at += group.length
  }
  return decoded
}

describe('decoding times', () => {
  it('increase, and durations and presentation times are exact, for any timestamps', () => {
    for (let seed = 0; seed < 50; seed++) {
      const pts = randomStream(seed)
      for (const depth of [undefined, 3, 16]) {
        const timed = timesOf(pts, depth)
        expect(timed.map(({ item }) => item)).toEqual(pts.map((_, i) => i))
        expect(timed.map(({ dts, offset }) => dts + offset)).toEqual(pts)
        for (const [i, { dts, duration }] of timed.entries()) {
          expect(duration).toBeGreaterThan(0)
          const next = timed[i + 1]
          if (next) expect(dts + duration).toBe(next.dts)
        }
      }
    }
  })

  it('equal the sorted presentation times when the reordering is known', () => {
    const pts = randomStream(7)
    expect(timesOf(pts, 3).map(({ dts }) => dts)).toEqual(pts.toSorted((a, b) => a - b))
  })

  it('equal the presentation times without reordered pictures, one picture late after the first ones', () => {
    const times = createSampleTimes<number>()
    const done = [0, 3000, 6500, 9000, 12_000, 15_000].map((pts, i) => times.push(i, pts).map(({ item }) => item))
    expect(done).toEqual([[], [], [], [], [0, 1, 2, 3], [4]])
    expect(times.flush()).toEqual([{ item: 5, dts: 15_000, duration: 3000, offset: 0 }])
    expect(timesOf([0, 3000, 6500]).map(({ duration }) => duration)).toEqual([3000, 3500, 3500])
  })

  it('equal the sorted presentation times of reordered pictures', () => {
    const pts = [0, 300, 100, 200, 600, 400, 500, 900, 700, 800]
    expect(timesOf(pts).map(({ dts }) => dts)).toEqual(pts.toSorted((a, b) => a - b))
  })

  it('increase by a tick where reordering begins later', () => {
    const pts = [0, 100, 200, 300, 400, 500, 800, 600, 700, 1100, 900, 1000]
    expect(timesOf(pts).map(({ dts }) => dts)).toEqual([0, 100, 200, 300, 400, 500, 800, 801, 802, 900, 1000, 1100])
  })

  it('increase for equal timestamps', () => {
    expect(timesOf([5, 5, 5]).map(({ dts }) => dts)).toEqual([5, 6, 7])
  })
})
