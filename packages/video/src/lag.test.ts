import { describe, expect, it } from 'vitest'
import { createLagMeter } from './lag.ts'

/** Returns the real times at which the meter reports a lag; stream time has a picture every 100 ms. */
function alarms(seconds: number, wallAt: (streamMs: number) => number): number[] {
  const meter = createLagMeter()
  const found: number[] = []
  for (let time = 0; time < seconds * 1000; time += 100) if (meter.fallenBehind(time, wallAt(time))) found.push(time)
  return found
}

describe('createLagMeter', () => {
  it('reports nothing for a stream in time, also with jitter', () => {
    expect(alarms(600, (time) => time + ((time * 7) % 900))).toEqual([])
  })

  it('reports nothing for a camera whose clock runs a percent slow or fast for hours', () => {
    expect(alarms(7200, (time) => time * 1.01)).toEqual([])
    expect(alarms(7200, (time) => time * 0.99)).toEqual([])
  })

  it('ignores a burst after a pause of the network', () => {
    expect(alarms(120, (time) => (time < 30_000 || time > 36_000 ? time : 36_000 + (time - 30_000) / 100))).toEqual([])
  })

  it('reports decoding that takes a third longer than the stream, and again when that continues', () => {
    const found = alarms(120, (time) => time * 1.33)
    expect(found[0]).toBeGreaterThan(9000)
    expect(found[0]).toBeLessThan(15_000)
    expect(found.length).toBeGreaterThan(3)
  })

  it('reports once a stream with a permanent lag', () => {
    expect(alarms(600, (time) => (time < 30_000 ? time : time + 4000))).toHaveLength(1)
  })
})
