import { expect, it } from 'vitest'
import { createTimeline } from './timeline.ts'

it('spaces frames as the stream does, whenever they arrive', () => {
  const timeline = createTimeline()
  expect([timeline.at(0, 1_000), timeline.at(200, 1_900), timeline.at(400, 1_901)]).toEqual([1_000, 1_200, 1_400])
})

it('goes on across a reconnection and never back', () => {
  const timeline = createTimeline()
  timeline.at(0, 1_000)
  timeline.at(3_000, 1_100)
  timeline.reconnect()
  expect(timeline.at(0, 2_000)).toBe(4_000)
  expect(timeline.at(5_000, 7_000)).toBe(7_000)
})

it('does not follow a recorder whose clock jumps', () => {
  const timeline = createTimeline()
  timeline.at(0, 1_000)
  expect(timeline.at(86_400_000, 1_200)).toBe(1_200)
  expect(timeline.at(86_400_200, 1_400)).toBe(1_400)
  expect(timeline.at(400, 1_600)).toBe(1_600)
})
