import { describe, expect, it } from 'vitest'
import { playbackOf } from './live-playback.ts'

const range = (start: number, end: number) => ({ start, end })
const target = 0.5

describe('playbackOf', () => {
  it('waits for the first picture', () => {
    expect(playbackOf({ ranges: [], position: 0, target })).toEqual({ rate: 1, seekTo: null, removeBefore: null })
  })

  it.each([
    ['close to the newest picture', 9.4, 1, null],
    ['a little behind', 9, 1.1, null],
    ['too close to the newest picture', 9.8, 0.9, null],
    ['far behind', 6, 1, 9.5],
    ['before the first picture', 2, 1, 9.5],
    ['behind the newest picture', 12, 1, 9.5],
  ])('%s', (_name, position, rate, seekTo) => {
    expect(playbackOf({ ranges: [range(5, 10)], position, target })).toEqual({ rate, seekTo, removeBefore: null })
  })

  it('jumps over a gap of the stream as soon as pictures follow it', () => {
    const ranges = [range(0, 4), range(20, 20.25)]
    expect(playbackOf({ ranges, position: 4, target }).seekTo).toBe(20)
  })

  it('removes pictures older than ten seconds, in steps', () => {
    expect(playbackOf({ ranges: [range(0, 14)], position: 13.6, target }).removeBefore).toBeNull()
    expect(playbackOf({ ranges: [range(0, 16)], position: 15.6, target }).removeBefore).toBe(6)
  })
})
