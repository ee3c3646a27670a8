import { describe, expect, it } from 'vitest'
import { createFrameSampler, createStreamClock } from './stream-clock.ts'

/** Runs [pts, wall] pairs through a clock. */
const run = (
  live: boolean,
  steps: readonly (readonly [number | null, number])[],
  fps: number | null = 10,
): number[] => {
  const clock = createStreamClock({ live })
  return steps.map(([pts, wall]) => clock.advance(pts, wall, fps))
}

describe('createStreamClock', () => {
  it('starts at 0 for any first timestamp', () => {
    expect(
      run(true, [
        [90_000, 0],
        [90_100, 100],
        [90_200, 200],
      ]),
    ).toEqual([0, 100, 200])
  })

  it('gives the first picture the declared duration when it has no timestamp', () => {
    expect(
      run(true, [
        [null, 0],
        [5000, 90],
        [5100, 190],
      ]),
    ).toEqual([0, 100, 200])
    expect(
      run(
        true,
        [
          [null, 0],
          [5000, 90],
        ],
        null,
      ),
    ).toEqual([0, 40])
  })

  it('accepts the timestamps of a burst after a pause of the network', () => {
    expect(
      run(true, [
        [0, 0],
        [100, 6000],
        [200, 6001],
        [300, 6002],
      ]),
    ).toEqual([0, 100, 200, 300])
  })

  it('accepts a long gap when as much real time has passed', () => {
    expect(
      run(true, [
        [0, 0],
        [8000, 8010],
      ]),
    ).toEqual([0, 8000])
  })

  it.each([
    ['forward', 86_400_000],
    ['back', -86_400_000],
    ['nowhere', 0],
  ])('replaces a jump %s by the elapsed real time', (_name, leap) => {
    expect(
      run(true, [
        [0, 0],
        [100, 100],
        [100 + leap, 200],
        [200 + leap, 300],
      ]),
    ).toEqual([0, 100, 200, 300])
  })

  it('increases strictly for any timestamps', () => {
    const steps: [number | null, number][] = Array.from({ length: 500 }, (_, i) => [
      i % 7 === 0 ? null : ((i * 7919) % 997) * 50,
      i,
    ])
    for (const live of [true, false]) {
      const times = run(live, steps)
      expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0))).toBe(true)
    }
  })

  it('accepts every step forward of a file', () => {
    expect(
      run(false, [
        [0, 0],
        [60_000, 1],
        [59_000, 2],
      ]),
    ).toEqual([0, 60_000, 60_100])
  })
})

describe('reordered pictures', () => {
  /** Presentation numbers in decoding order, `stepMs` apart; number 0 is a keyframe. */
  const decode = (numbers: readonly number[], stepMs: number, fps: number | null = null): number[] => {
    const clock = createStreamClock({ live: true })
    return numbers.map((number, i) => clock.advance(7000 + number * stepMs, i * stepMs, fps, i === 0))
  }

  it.each([
    ['one at a time', [0, 2, 1, 4, 3, 6, 5]],
    ['in a pyramid', [0, 4, 2, 1, 3, 6, 5, 9, 7, 8, 13, 11, 10, 12]],
  ])('keep their presentation times: %s', (_name, numbers) => {
    for (const stepMs of [1000 / 30, 40, 100]) {
      expect(decode(numbers, stepMs).map((time) => Math.round(time))).toEqual(
        numbers.map((number) => Math.round(number * stepMs)),
      )
    }
  })

  it.each([40, 100])('are not assumed when the clock is set back, with pictures %i ms apart', (stepMs) => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3.3, 4.3, 5.3, 6.3, 7.3, 8.3, 9.3, 10.3]
    const times = decode(numbers, stepMs, 25)
    expect(times.map((time) => Math.round(time))).toEqual(numbers.map((_number, i) => i * stepMs))
  })

  it('are not assumed at a keyframe', () => {
    const clock = createStreamClock({ live: true })
    const times = [0, 160, 80].map((pts, i) => clock.advance(pts, i * 40, 25, i !== 1))
    expect(times).toEqual([0, 160, 200])
  })
})

describe('createFrameSampler', () => {
  const pick = (fps: number, maxFps: number | undefined, count: number): number[] => {
    const sampler = createFrameSampler(maxFps)
    const picked: number[] = []
    for (let i = 0; i < count; i++) {
      const time = Math.round((i * 1000) / fps)
      if (!sampler.due(time)) continue
      sampler.taken(time)
      picked.push(time)
    }
    return picked
  }

  it('keeps the rate on average, also when it does not divide the rate of the stream', () => {
    expect(pick(15, 5, 150)).toHaveLength(50)
    expect(pick(12, 5, 120)).toHaveLength(50)
    expect(pick(29.97, 5, 300)).toHaveLength(50)
  })

  it('keeps all pictures of a slower stream, and all without a limit', () => {
    expect(pick(4, 5, 20)).toHaveLength(20)
    expect(pick(25, undefined, 20)).toHaveLength(20)
  })

  it('does not compensate a gap with a burst', () => {
    const sampler = createFrameSampler(5)
    sampler.taken(0)
    sampler.taken(10_000)
    expect(sampler.due(10_040)).toBe(false)
    expect(sampler.due(10_100)).toBe(true)
  })
})
