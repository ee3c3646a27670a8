import { describe, expect, it } from 'vitest'
import { pictureFormat, pictureSize } from './sps.ts'

/** Bits as the standards list them: `u:count:value`, `ue:value`, `se:value`. */
function nal(header: number[], fields: string[]): Buffer {
  const bits = fields
    .map((field) => {
      const [kind, a = '0', b = '0'] = field.split(':')
      if (kind === 'u') return Number(b).toString(2).padStart(Number(a), '0')
      const value = Number(a)
      const code = (kind === 'se' ? (value > 0 ? 2 * value - 1 : -2 * value) : value) + 1
      const text = code.toString(2)
      return '0'.repeat(text.length - 1) + text
    })
    .join('')
  const padded = `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0')
  const payload = padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []
  const out = [...header]
  for (const byte of payload) {
    // Inserts emulation prevention bytes, as an encoder does.
    if (byte <= 3 && out.at(-1) === 0 && out.at(-2) === 0) out.push(3)
    out.push(byte)
  }
  return Buffer.from(out)
}

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
    expect(pictureFormat('h265', sps)).toEqual({ width: 1280, height: 720, chroma: 1, lumaBits: 10, chromaBits: 9 })
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
})
