import { describe, expect, it } from 'vitest'
import { pictureFormat, pictureSize } from './sps.ts'
import { nal } from './testing/nal-writer.ts'

const profile = (idc: number) => [`u:8:${idc}`, 'u:8:0', 'u:8:40', 'ue:0']
/** 1280x720 frames, without cropping: 80 by 45 macroblocks. */
const picture = ['ue:4', 'u:1:0', 'ue:79', 'ue:44', 'u:1:1', 'u:1:1', 'u:1:0', 'u:1:0']

describe('pictureSize', () => {
  it('skips H.264 scaling matrices', () => {
    // The first list ends early (delta to zero), the second falls back, the seventh (8x8) is written out.
    const first = ['u:1:1', 'se:-8']
    const seventh = ['u:1:1', ...Array.from({ length: 64 }, () => 'se:1')]
    const lists = [...first, 'u:1:0', 'u:1:0', 'u:1:0', 'u:1:0', 'u:1:0', ...seventh, 'u:1:0']
    const sps = nal(
      [0x67],
      [...profile(100), 'ue:1', 'ue:0', 'ue:0', 'u:1:0', 'u:1:1', ...lists, 'ue:0', 'ue:0', 'ue:0', ...picture],
    )
    expect(pictureSize('h264', sps)).toEqual({ width: 1280, height: 720 })
  })

  it('reads chroma format and bit depths of H.264', () => {
    const samples = ['ue:2', 'ue:2', 'ue:1', 'u:1:0', 'u:1:0']
    const high = nal([0x67], [...profile(122), ...samples, 'ue:0', 'ue:0', 'ue:0', ...picture])
    expect(pictureFormat('h264', high)).toMatchObject({ width: 1280, chroma: 2, lumaBits: 10, chromaBits: 9 })
    const main = nal([0x67], [...profile(77), 'ue:0', 'ue:0', 'ue:0', ...picture])
    expect(pictureFormat('h264', main)).toMatchObject({ chroma: 1, lumaBits: 8, chromaBits: 8 })
  })

  it('skips H.264 picture order count type 1', () => {
    const order = ['ue:1', 'u:1:0', 'se:-3', 'se:5', 'ue:2', 'se:1', 'se:-1']
    expect(pictureSize('h264', nal([0x67], [...profile(66), 'ue:0', ...order, ...picture]))).toEqual({
      width: 1280,
      height: 720,
    })
  })

  it('skips H.265 sub-layers', () => {
    const level = ['u:32:1', 'u:32:0', 'u:32:0']
    const flags = ['u:2:3', 'u:2:1', 'u:12:0']
    const subLayers = ['u:32:5', 'u:32:0', 'u:32:0', 'u:8:30']
    const sps = nal(
      [0x42, 1],
      [
        'u:4:0',
        'u:3:2',
        'u:1:1',
        ...level,
        ...flags,
        ...subLayers,
        'ue:0',
        'ue:1',
        'ue:1280',
        'ue:728',
        'u:1:1',
        'ue:0',
        'ue:0',
        'ue:0',
        'ue:4',
        'ue:2',
        'ue:1',
      ],
    )
    expect(pictureSize('h265', sps)).toEqual({ width: 1280, height: 720 })
    expect(pictureFormat('h265', sps)).toMatchObject({
      width: 1280,
      height: 720,
      chroma: 1,
      lumaBits: 10,
      chromaBits: 9,
      codedPixels: 1280 * 728,
      // The bytes end before the number of pictures.
      references: 16,
    })
  })

  it('returns null for other NAL units, truncated ones and impossible sizes', () => {
    const sps = nal([0x67], [...profile(66), 'ue:0', 'ue:0', 'ue:0', ...picture])
    expect(pictureSize('h264', sps)).toEqual({ width: 1280, height: 720 })
    expect(pictureSize('h265', sps)).toBeNull()
    expect(pictureSize('h264', Buffer.concat([Buffer.from([0x68]), sps.subarray(1)]))).toBeNull()
    expect(pictureSize('h264', sps.subarray(0, 6))).toBeNull()
    expect(pictureSize('h264', Buffer.alloc(0))).toBeNull()
    expect(pictureSize('h264', Buffer.alloc(40, 0))).toBeNull()
    const huge = [
      ...profile(66),
      'ue:0',
      'ue:0',
      'ue:0',
      'ue:4',
      'u:1:0',
      'ue:60000',
      'ue:44',
      'u:1:1',
      'u:1:1',
      'u:1:0',
    ]
    expect(pictureSize('h264', nal([0x67], huge))).toBeNull()
  })

  it('reads how many pictures a decoder of H.264 holds', () => {
    const sps = (level: number, refs: number, vui: string[]) =>
      nal(
        [0x67],
        [
          'u:8:77',
          'u:8:0',
          `u:8:${level}`,
          'ue:0',
          'ue:0',
          'ue:0',
          'ue:0',
          `ue:${refs}`,
          'u:1:0',
          'ue:79',
          'ue:44',
          'u:1:1',
          'u:1:1',
          'u:1:0',
          ...vui,
        ],
      )
    const references = (...args: Parameters<typeof sps>) => pictureFormat('h264', sps(...args))?.references
    // Level 4 allows 32,768 macroblocks: 9 pictures of 3,600.
    expect(references(40, 2, ['u:1:0'])).toBe(9)
    expect(references(40, 12, ['u:1:0'])).toBe(12)
    const flags = ['u:1:0', 'u:1:0', 'u:1:0', 'u:1:0', 'u:1:0', 'u:1:0', 'u:1:0', 'u:1:0']
    const limits = ['u:1:1', 'u:1:1', 'ue:0', 'ue:0', 'ue:10', 'ue:10', 'ue:1', 'ue:3']
    expect(references(40, 2, ['u:1:1', ...flags, ...limits])).toBe(3)
    // Aspect ratio, overscan, colours, chroma location, timing and buffer model come before the limits.
    const hrd = ['ue:0', 'u:8:0', 'ue:5', 'ue:5', 'u:1:0', 'u:20:0']
    const all = [
      'u:1:1',
      'u:8:255',
      'u:32:1',
      'u:1:1',
      'u:1:0',
      'u:1:1',
      'u:4:1',
      'u:1:1',
      'u:24:1',
      'u:1:1',
      'ue:1',
      'ue:1',
    ]
    const timed = ['u:1:1', 'u:32:1', 'u:32:50', 'u:1:1', 'u:1:1', ...hrd, 'u:1:1', ...hrd, 'u:1:0', 'u:1:1']
    expect(references(40, 2, ['u:1:1', ...all, ...timed, ...limits])).toBe(3)
    // The bytes end inside: the level decides.
    expect(references(40, 2, ['u:1:1', ...all])).toBe(9)
  })

  it('reads how many pictures a decoder of H.265 holds', () => {
    const profileTierLevel = ['u:32:1', 'u:32:0', 'u:32:0']
    const sps = nal(
      [0x42, 1],
      [
        'u:4:0',
        'u:3:0',
        'u:1:1',
        ...profileTierLevel,
        'ue:0',
        'ue:1',
        'ue:4096',
        'ue:4096',
        'u:1:0',
        'ue:0',
        'ue:0',
        'ue:4',
        'u:1:1',
        'ue:15',
        'ue:2',
        'ue:0',
        'ue:0',
        'ue:0',
      ],
    )
    expect(pictureFormat('h265', sps)).toMatchObject({ codedPixels: 4096 * 4096, references: 15 })
  })
})
