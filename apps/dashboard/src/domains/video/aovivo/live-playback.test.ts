import { describe, expect, it } from 'vitest'
import { playbackOf } from './live-playback.ts'

const range = (start: number, end: number) => ({ start, end })
const target = 0.5

describe('playbackOf', () => {
  it('waits for the first picture', () => {
    expect(playbackOf({ ranges: [], position: 0, target, keyframes: [] })).toEqual({
      rate: 1,
      seekTo: null,
      removeBefore: null,
    })
  })

  it.each([
    ['close to the newest picture', 9.4, 1, null],
    ['a little behind', 9, 1.1, null],
    ['too close to the newest picture', 9.8, 0.9, null],
    ['far behind', 6, 1, 9.5],
    ['before the first picture', 2, 1, 9.5],
    ['behind the newest picture', 12, 1, 9.5],
  ])('%s', (_name, position, rate, seekTo) => {
    const input = { ranges: [range(5, 10)], position, target, keyframes: [5, 7, 9] }
    expect(playbackOf(input)).toEqual({ rate, seekTo, removeBefore: null })
  })

  it('jumps over a gap of the stream as soon as pictures follow it', () => {
    const ranges = [range(0, 4), range(20, 20.25)]
    expect(playbackOf({ ranges, position: 4, target, keyframes: [0, 2, 20] }).seekTo).toBe(20)
  })

  it('removes pictures older than ten seconds, in steps, up to a keyframe', () => {
    const keyframes = [0, 2, 4, 6, 8, 10, 12, 14]
    const removed = (end: number) =>
      playbackOf({ ranges: [range(0, end)], position: end - 0.4, target, keyframes }).removeBefore
    expect([14, 16, 17].map(removed)).toEqual([null, 6, 6])
  })

  it('keeps a group of 120 s whole, and removes it behind the next keyframe', () => {
    const removed = (end: number) =>
      playbackOf({ ranges: [range(0, end)], position: end - 0.4, target, keyframes: [0, 120] }).removeBefore
    expect([60, 119, 129, 131].map(removed)).toEqual([null, null, null, 120])
  })

  it('plays faster where a jump would decode a long group', () => {
    const behind = (seconds: number) =>
      playbackOf({ ranges: [range(0, 100)], position: 100 - seconds, target, keyframes: [0] })
    expect(behind(100)).toMatchObject({ seekTo: 99.5 })
    expect(behind(12)).toEqual({ rate: 1.5, seekTo: null, removeBefore: null })
  })
})
