import { expect, it } from 'vitest'
import { createReorder } from './reorder.ts'

const packet = (sequence: number, ssrc = 1): Buffer => {
  const bytes = Buffer.alloc(13)
  bytes[0] = 0x80
  bytes.writeUInt16BE(sequence & 0xffff, 2)
  bytes.writeUInt32BE(ssrc, 8)
  return bytes
}

/** Pushes [sequence, arrival ms, ssrc] and returns the sequence numbers that were passed on. */
function passed(arrivals: readonly (readonly [number, number, number?])[]): number[] {
  const numbers: number[] = []
  const reorder = createReorder((bytes) => numbers.push(bytes.readUInt16BE(2)))
  for (const [sequence, atMs, ssrc] of arrivals) reorder.push(packet(sequence, ssrc), atMs)
  return numbers
}

/** Arrivals that settle where the numbers begin. */
const begun = (first: number) => [[first, 0] as const, [first + 1, 101] as const]

it('orders packets, also across the end of the numbers', () => {
  const arrivals = [...begun(65_533), [1, 102], [65_535, 103], [0, 104], [3, 105], [2, 106]] as const
  expect(passed(arrivals)).toEqual([65_533, 65_534, 65_535, 0, 1, 2, 3])
})

it('orders the first packets of a stream', () => {
  expect(passed([...[2, 1, 3].map((n) => [n, 0] as const), [4, 100]])).toEqual([1, 2, 3, 4])
})

it('drops copies and packets behind a gap that was passed on', () => {
  const arrivals = [...begun(10), [11, 102], [13, 103], [13, 104], [14, 204], [12, 205], [15, 206]] as const
  expect(passed(arrivals)).toEqual([10, 11, 13, 14, 15])
})

it('holds at most 64 packets', () => {
  const later = Array.from({ length: 64 }, (_, n) => [13 + n, 110] as const)
  const before = passed([...begun(10), ...later])
  expect(before).toEqual([10, 11])
  expect(passed([...begun(10), ...later, [77, 110]])).toEqual([10, 11, ...Array.from({ length: 65 }, (_, n) => 13 + n)])
})

it('follows a sender that starts again, and one with another source', () => {
  expect(passed([...begun(20_000), [100, 102], [101, 103]])).toEqual([20_000, 20_001, 100, 101])
  expect(passed([...begun(10), [5, 102, 2], [6, 203, 2]])).toEqual([10, 11, 5, 6])
})

it('passes everything on from a sender that does not number its packets', () => {
  const same = Array.from({ length: 200 }, (_, n) => [7, n * 10] as const)
  expect(passed(same).length).toBeGreaterThan(130)
})
