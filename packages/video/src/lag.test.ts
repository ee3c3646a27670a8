import { describe, expect, it } from 'vitest'
import { createLagMeter } from './lag.ts'

/** Real times at which the meter says that the pictures (one every 100 ms of stream time) have fallen behind. */
function alarms(seconds: number, wallAt: (streamMs: number) => number): number[] {
  const meter = createLagMeter()
  const found: number[] = []
  for (let time = 0; time < seconds * 1000; time += 100) if (meter.fallenBehind(time, wallAt(time))) found.push(time)
  return found
}

describe('createLagMeter', () => {
  it('is silent on a stream in time, jitter included', () => {
    expect(alarms(600, (time) => time + ((time * 7) % 900))).toEqual([])
  })

  it('is silent on a camera whose clock runs a percent slow or fast, for hours', () => {
    expect(alarms(7200, (time) => time * 1.01)).toEqual([])
    expect(alarms(7200, (time) => time * 0.99)).toEqual([])
  })

  it('leaves a burst after a pause of the network alone', () => {
    expect(alarms(120, (time) => (time < 30_000 || time > 36_000 ? time : 36_000 + (time - 30_000) / 100))).toEqual([])
  })

  it('speaks up when decoding takes a third longer than the stream lasts, and again when that goes on', () => {
    const found = alarms(120, (time) => time * 1.33)
    expect(found[0]).toBeGreaterThan(9000)
    expect(found[0]).toBeLessThan(15_000)
    expect(found.length).toBeGreaterThan(3)
  })

  it('speaks up once about a stream that lags for good', () => {
    expect(alarms(600, (time) => (time < 30_000 ? time : time + 4000))).toHaveLength(1)
  })
})
