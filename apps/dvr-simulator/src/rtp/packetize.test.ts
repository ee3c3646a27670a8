import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { depacketize } from '../test/depacketize.ts'
import { packetize } from './packetize.ts'

const nal = (codec: 'h264' | 'h265', type: number, length: number) => {
  const bytes = randomBytes(length)
  bytes[0] = codec === 'h264' ? 0x60 | type : type << 1
  if (codec === 'h265') bytes[1] = 1
  return bytes
}

describe.each(['h264', 'h265'] as const)('packetize %s', (codec) => {
  const slice = codec === 'h264' ? 5 : 19
  const sizes = [
    [2],
    [30],
    [1399, 1400, 1401],
    [10, 8, 5000],
    [10, 8, 40, 20_000, 3, 700, 700],
    [1396, 2, 2],
    [1397, 2],
    [2799, 2800, 2801],
    Array.from({ length: 500 }, () => 9),
  ]
  it.each(sizes.map((list) => [list]))('restores units of %j bytes from packets of at most 1400 bytes', (list) => {
    const nals = list.map((length) => nal(codec, slice, length))
    const payloads = packetize(codec, nals, 1400)
    expect(Math.max(...payloads.map(({ length }) => length))).toBeLessThanOrEqual(1400)
    expect(Buffer.concat(depacketize(codec, payloads)).equals(Buffer.concat(nals))).toBe(true)
    expect(depacketize(codec, payloads).map(({ length }) => length)).toEqual(list)
  })

  it('aggregates small units and sends a single one unchanged', () => {
    expect(packetize(codec, [nal(codec, slice, 20)], 1400)[0]).toHaveLength(20)
    expect(packetize(codec, [nal(codec, slice, 20), nal(codec, slice, 30)], 1400)).toHaveLength(1)
    expect(packetize(codec, [], 1400)).toEqual([])
  })
})
