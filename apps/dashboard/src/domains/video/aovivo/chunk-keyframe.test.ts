import { expect, it } from 'vitest'
import { keyframeTime } from './chunk-keyframe.ts'

/** The boxes of a chunk up to its first sample. */
function chunk(flags: number, ticks: bigint): ArrayBuffer {
  const bytes = new Uint8Array(120)
  const view = new DataView(bytes.buffer)
  for (const [at, name] of [
    [4, 'moof'],
    [12, 'mfhd'],
    [28, 'traf'],
    [36, 'tfhd'],
    [52, 'tfdt'],
    [72, 'trun'],
  ] as const)
    bytes.set(new TextEncoder().encode(name), at)
  view.setBigUint64(60, ticks)
  view.setUint32(96, flags)
  return bytes.buffer
}

it('reads the time of the keyframe that a chunk begins with', () => {
  expect(keyframeTime(chunk(0x02000000, 90_000n * 87n + 45_000n))).toBe(87.5)
  expect(keyframeTime(chunk(0x01010000, 90_000n))).toBeNull()
  expect(keyframeTime(new ArrayBuffer(8))).toBeNull()
  expect(keyframeTime(new ArrayBuffer(200))).toBeNull()
})
