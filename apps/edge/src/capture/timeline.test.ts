import { expect, it } from 'vitest'
import { createTimeline } from './timeline.ts'

it('spaces frames by the stream timestamps however they arrive', () => {
  const timeline = createTimeline()
  expect([timeline.at(0, 1_000), timeline.at(200, 1_900), timeline.at(400, 1_901)]).toEqual([1_000, 1_200, 1_400])
})

it('continues across a reconnection and never goes back', () => {
  const timeline = createTimeline()
  timeline.at(0, 1_000)
  timeline.at(3_000, 1_100)
  timeline.reconnect()
  expect(timeline.at(0, 2_000)).toBe(3_400)
  expect(timeline.at(5_000, 7_000)).toBe(7_000)
})

it('does not follow a clock jump of the recorder', () => {
  const timeline = createTimeline()
  timeline.at(0, 1_000)
  expect(timeline.at(86_400_000, 1_200)).toBe(1_200)
  expect(timeline.at(86_400_200, 1_400)).toBe(1_400)
  expect(timeline.at(400, 1_600)).toBe(1_600)
})

it('returns to the arrival time after a recorder has sent its buffer at once', () => {
  const timeline = createTimeline()
  const arrivals = Array.from({ length: 100 }, (_, i) => ({
    sentMs: i * 200,
    arrivedMs: 1_000 + Math.max(0, i - 10) * 200,
  }))
  const line = arrivals.map(({ sentMs, arrivedMs }) => ({ at: timeline.at(sentMs, arrivedMs), arrivedMs }))
  const steps = line.slice(1).map(({ at }, i) => at - (line[i]?.at ?? 0))
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(160)
  expect(Math.max(...steps)).toBeLessThanOrEqual(200)
  for (const { at, arrivedMs } of line.slice(60)) expect(at).toBeCloseTo(arrivedMs, 6)
})
