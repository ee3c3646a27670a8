import { describe, expect, it } from 'vitest'
import { createJitter, createSequenceTracker, createTimeline, emptyPacket, readRtp } from './rtp.ts'

function packet({ first = 0x80, sequence = 7, timestamp = 90_000, rest = Buffer.from('payload') } = {}): Buffer {
  const header = Buffer.from([first, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5])
  header.writeUInt16BE(sequence, 2)
  header.writeUInt32BE(timestamp, 4)
  return Buffer.concat([header, rest])
}

function read(bytes: Buffer) {
  const found = emptyPacket()
  return readRtp(bytes, 0, bytes.length, found)
    ? { ...found, payload: bytes.toString('latin1', found.start, found.end) }
    : null
}

describe('readRtp', () => {
  it('reads the header', () => {
    expect(read(packet())).toMatchObject({
      marker: true,
      payloadType: 96,
      sequence: 7,
      timestamp: 90_000,
      ssrc: 5,
      payload: 'payload',
      utcMs: null,
    })
  })

  it('excludes contributing sources, extension and padding', () => {
    const sources = Buffer.alloc(8)
    const extension = Buffer.from([0xbe, 0xde, 0, 1, 1, 2, 3, 4])
    const padding = Buffer.from([0, 0, 3])
    expect(
      read(packet({ first: 0xb2, rest: Buffer.concat([sources, extension, Buffer.from('x'), padding]) }))?.payload,
    ).toBe('x')
  })

  it('reads the time of the replay extension', () => {
    // 2026-01-01 is 3976214400 s after 1900; a quarter of a second is 2^30 of 2^32.
    const extension = Buffer.from('abac0003ed003d8040000000e0010000', 'hex')
    extension.writeUInt32BE(3_976_214_400, 4)
    expect(read(packet({ first: 0x90, rest: Buffer.concat([extension, Buffer.from('x')]) }))).toMatchObject({
      utcMs: Date.UTC(2026, 0, 1) + 250,
      payload: 'x',
    })
  })

  it.each([
    ['too short', Buffer.alloc(11, 0x80)],
    ['another version', packet({ first: 0x40 })],
    ['sources beyond the end', packet({ first: 0x8f })],
    ['an extension beyond the end', packet({ first: 0x90, rest: Buffer.from([0, 0, 0, 9]) })],
    ['more padding than payload', packet({ first: 0xa0, rest: Buffer.from([200]) })],
    ['padding of 0', packet({ first: 0xa0, rest: Buffer.from([0]) })],
  ])('refuses %s', (_name, bytes) => {
    expect(read(bytes)).toBeNull()
  })
})

describe('createSequenceTracker', () => {
  const judge = (...numbers: number[]) => {
    const tracker = createSequenceTracker()
    return { orders: numbers.map((number) => tracker.judge(number)), tracker }
  }

  it('follows the wrap of 16 bits', () => {
    const { orders, tracker } = judge(65_534, 65_535, 0, 1)
    expect(orders).toEqual(['next', 'next', 'next', 'next'])
    expect(tracker.highest).toBe(0x1_0001)
  })

  it('detects gaps, duplicates and late packets', () => {
    const { orders, tracker } = judge(10, 13, 13, 12, 14)
    expect(orders).toEqual(['next', 'gap', 'old', 'old', 'next'])
    expect(tracker.lost).toBe(2)
  })

  it('accepts a restarted count after two packets', () => {
    expect(judge(30_000, 30_001, 5, 6, 7).orders).toEqual(['next', 'next', 'old', 'gap', 'next'])
  })

  it('ignores numbers that do not increase', () => {
    const { orders } = judge(...Array.from({ length: 70 }, () => 4))
    expect(orders.slice(1, 64).every((order) => order === 'old')).toBe(true)
    expect(orders.slice(64)).toEqual(Array.from({ length: 6 }, () => 'next'))
  })
})

describe('createTimeline', () => {
  /** Ticks and jumps of units [timestamp, received at ms, keyframe]. */
  const run = (clockRate: number, units: readonly (readonly [number, number, boolean?])[]) => {
    const timeline = createTimeline(clockRate)
    return units.map(([timestamp, atMs, keyframe = false]) => {
      timeline.advance(timestamp >>> 0, atMs, keyframe)
      return timeline.jumped ? `jump ${timeline.ticks}` : timeline.ticks
    })
  }

  it('unwraps 32 bits, forward and with B-frames around the wrap', () => {
    const base = 2 ** 32 - 4500
    expect(
      run(90_000, [
        [base, 0],
        [base + 9000, 40],
        [base + 4500, 80],
        [base + 13_500, 120],
      ]),
    ).toEqual([0, 9000, 4500, 13_500])
  })

  it('accepts a long step only when as much real time passed', () => {
    expect(
      run(90_000, [
        [0, 0],
        [60 * 90_000, 60_000],
        [120 * 90_000, 60_100],
      ]),
    ).toEqual([0, 5_400_000, 'jump 5409000'])
  })

  it('continues by the elapsed real time after a step back, and at a keyframe that is not shown last', () => {
    expect(
      run(90_000, [
        [500_000, 0],
        [100_000, 100],
        [109_000, 200],
      ]),
    ).toEqual([0, 'jump 9000', 18_000])
    expect(
      run(90_000, [
        [9000, 0],
        [18_000, 100],
        [9000, 200, true],
      ]),
    ).toEqual([0, 9000, 'jump 18000'])
  })

  it('counts in 90 kHz for any clock rate in the SDP', () => {
    expect(
      run(1000, [
        [0, 0],
        [40, 40],
      ]),
    ).toEqual([0, 3600])
  })
})

it('measures the jitter of arrivals (RFC 3550 A.8)', () => {
  const steady = createJitter(90_000)
  for (let n = 0; n < 100; n += 1) steady.packet(n * 3600, 1000 + n * 40)
  expect(steady.value).toBe(0)
  // Each packet comes 10 ms (900 ticks) early or late in turns: the differences are 1800 ticks.
  const shaking = createJitter(90_000)
  for (let n = 0; n < 400; n += 1) shaking.packet((n * 3600) | 0, 1000 + n * 40 + (n % 2 === 0 ? 10 : -10))
  expect(shaking.value).toBeCloseTo(1800, 0)
})
