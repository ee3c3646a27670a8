import { beforeEach, expect, it } from 'vitest'
import { type ClockOffset, createClockOffset } from './clock-offset.ts'

/** The edge's wall clock starts 5 s ahead of the cloud's. */
const CLOUD_AT_START = 1_000_000_000
let mono = 0
let wall = 0
let offset: ClockOffset

beforeEach(() => {
  mono = 50_000
  wall = CLOUD_AT_START + 5_000
  offset = createClockOffset({ now: () => wall, monotonic: () => mono })
})

const cloud = () => CLOUD_AT_START + (mono - 50_000)
function pass(ms: number) {
  mono += ms
  wall += ms
}

/** Exchanges one report and its echo with the given delays in ms; `between` runs while the echo is in transit. */
function exchange(there: number, back: number, between = () => {}) {
  const t1 = wall
  pass(there)
  const t2 = cloud()
  const t3 = t2 + 10
  pass(10)
  between()
  pass(back)
  offset.echo({ tipo: 'eco', v: 2, t1, t2, t3 })
}

it('assumes equal delays in both directions and keeps the fastest exchange for a while', () => {
  expect(offset.offsetMs).toBeNull()
  exchange(100, 100)
  expect(offset.offsetMs).toBe(5_000)
  exchange(900, 100)
  expect(offset.offsetMs).toBe(5_000)
  exchange(20, 40)
  expect(offset.offsetMs).toBe(5_010)
  pass(11 * 60_000)
  exchange(300, 100)
  expect(offset.offsetMs).toBe(4_900)
})

it.each([7_200_000, -7_200_000, 2_000, -2_000])('follows the edge clock when it is set by %i ms', (jump) => {
  exchange(100, 100)
  wall += jump
  expect(offset.offsetMs).toBe(5_000 + jump)
  pass(60_000)
  // A measurement after the jump counts, however slow.
  exchange(600, 500)
  expect(offset.offsetMs).toBe(5_000 + jump - 50)
})

it.each([-3_000, 3_000, -150, 150, -20_000])('discards an exchange during which the clock was set by %i ms', (jump) => {
  exchange(100, 100)
  const set = () => {
    wall += jump
  }
  exchange(50, 50, set)
  expect(offset.offsetMs).toBe(5_000 + jump)
  exchange(200, 200, () => {
    set()
    // The offset is read while the echo is in transit.
    expect(offset.offsetMs).toBe(5_000 + 2 * jump)
  })
  expect(offset.offsetMs).toBe(5_000 + 2 * jump)
})

it('detects a jump before the end of the first exchange', () => {
  exchange(2_000, 2_000, () => {
    wall -= 3_000
  })
  expect(offset.offsetMs).toBeNull()
  pass(60_000)
  exchange(50, 50)
  expect(offset.offsetMs).toBe(2_000)
})

it('prefers the newer of two contradictory exchanges', () => {
  exchange(10, 10)
  // The cloud's clock was set.
  const t1 = wall
  pass(100)
  const t2 = cloud() + 60_000
  pass(100)
  offset.echo({ tipo: 'eco', v: 2, t1, t2, t3: t2 })
  expect(offset.offsetMs).toBe(-55_000)
})

it('reads both clocks again when the process was suspended between the two', () => {
  let slow = 1
  const real = createClockOffset({
    now: () => wall,
    monotonic: () => {
      if (slow-- === 0) pass(400)
      return mono
    },
  })
  const t1 = wall
  real.echo({ tipo: 'eco', v: 2, t1, t2: t1, t3: t1 })
  expect(real.offsetMs).toBe(0)
})
