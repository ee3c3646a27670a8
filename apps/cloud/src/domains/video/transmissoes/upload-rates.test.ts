import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { describe, expect, it } from 'vitest'
import {
  createUploadRates,
  type LiveAccount,
  MOST_ROOT,
  PROCESS_RATE,
  rateOf,
  STREAM_RATE,
  type UploadMeter,
} from './upload-rates.ts'

const accountOf = (rootId: number, cameras = 1): LiveAccount => ({
  empresaId: rootId,
  rootId,
  cameras,
  rootCameras: cameras,
})

/** Rates with a clock that the test moves. */
function rates() {
  const clock = { ms: 1_000 }
  return { clock, meter: createUploadRates(() => clock.ms).meter }
}

/** Number of records that a meter takes before it refuses one. */
function taken(meter: UploadMeter, bytes = 100, most = 100_000): number {
  for (let count = 0; count < most; count++) if (!meter.take(bytes)) return count
  return most
}

describe('one stream', () => {
  it('is refused above its records, and again until they are used up', () => {
    const { clock, meter } = rates()
    const stream = meter(accountOf(1, 64))
    expect(taken(stream)).toBe(STREAM_RATE.burstRecords + 1)
    expect(stream.connect()).toBe(false)
    clock.ms += 1_000
    expect(taken(stream)).toBe(STREAM_RATE.recordsPerS)
  })

  it('is refused above its bytes', () => {
    const { clock, meter } = rates()
    const stream = meter(accountOf(1, 64))
    const mib = 1024 * 1024
    expect(taken(stream, mib)).toBe(STREAM_RATE.burstBytes / mib + 1)
    clock.ms += 1_000
    expect(taken(stream, mib)).toBe(STREAM_RATE.bytesPerS / mib)
  })

  it('of today passes: the last group of the ring, then 30 keyframes a second', () => {
    const { clock, meter } = rates()
    const stream = meter(accountOf(1))
    for (let count = 0; count < 24; count++) expect(stream.take(1024 * 1024)).toBe(true)
    for (let second = 0; second < 60; second++) {
      for (let count = 0; count < 30; count++) expect(stream.take(60_000)).toBe(true)
      clock.ms += 1_000
    }
  })
})

it('lets a stream begin with the longest group of pictures', () => {
  const { meter } = rates()
  const stream = meter(accountOf(1))
  for (let part = 0; part < LONGEST_GROUP_MS / 250; part++) expect(stream.take(20_000)).toBe(true)
})

describe('the streams of one Empresa', () => {
  it('of today pass: 64 tiles and 16 opened cameras that begin together', () => {
    const { clock, meter } = rates()
    const account = accountOf(1, 64)
    const tiles = Array.from({ length: 64 }, () => meter(account))
    const opened = Array.from({ length: 16 }, () => meter(account))
    const all = (meters: readonly UploadMeter[], records: number, bytes: number) =>
      meters.every((one) => one.connect() && Array.from({ length: records }).every(() => one.take(bytes)))
    expect(all(tiles, 8, 30_000)).toBe(true)
    expect(all(opened, 12, 250_000)).toBe(true)
    for (let second = 0; second < 60; second++) {
      for (const tile of tiles) for (let part = 0; part < 3; part++) expect(tile.take(30_000)).toBe(true)
      for (const one of opened) for (let part = 0; part < 5; part++) expect(one.take(200_000)).toBe(true)
      clock.ms += 1_000
    }
  })

  it('are refused above the records of its cameras, and a neighbour is not', () => {
    const { clock, meter } = rates()
    const account = accountOf(1, 64)
    const streams = Array.from({ length: 64 }, () => meter(account))
    const total = streams.reduce((sum, stream) => sum + taken(stream), 0)
    expect(total).toBe(rateOf(64).burstRecords + 1)
    clock.ms += 1_000
    expect(streams.reduce((sum, stream) => sum + taken(stream), 0)).toBe(rateOf(64).recordsPerS)
    expect(taken(meter(accountOf(2)))).toBe(STREAM_RATE.burstRecords + 1)
  })

  it('are refused above the bytes of its cameras', () => {
    const { clock, meter } = rates()
    const mib = 1024 * 1024
    const streams = Array.from({ length: 64 }, () => meter(accountOf(1, 64)))
    for (const stream of streams) taken(stream, mib)
    clock.ms += 1_000
    expect(streams.reduce((sum, stream) => sum + taken(stream, mib), 0)).toBe(rateOf(64).bytesPerS / mib)
  })

  it('begin no faster with many connections', () => {
    const { meter } = rates()
    const account = accountOf(1)
    let connections = 0
    while (meter(account).connect()) connections++
    expect(connections).toBeLessThan(100)
  })
})

describe('a root Empresa', () => {
  it('is refused above its rates, however many cameras and Empresas it has', () => {
    const { clock, meter } = rates()
    const streams = Array.from({ length: 400 }, (_, at) =>
      meter({ empresaId: 100 + at, rootId: 1, cameras: 10, rootCameras: 4_000 }),
    )
    for (const stream of streams) taken(stream)
    clock.ms += 1_000
    expect(streams.reduce((sum, stream) => sum + taken(stream), 0)).toBe(MOST_ROOT.recordsPerS)
  })

  it('with more than an equal share is refused while the process is above its rates, and others pass', () => {
    const { clock, meter } = rates()
    const greedy = Array.from({ length: 8 }, (_, root) =>
      Array.from({ length: 100 }, (_, at) =>
        meter({ empresaId: 1_000 * (root + 1) + at, rootId: root + 1, cameras: 10, rootCameras: 4_000 }),
      ),
    ).flat()
    const small = meter(accountOf(99))
    let sent = 0
    for (let step = 0; step < 200; step++) {
      sent += greedy.reduce((sum, stream) => sum + taken(stream, 100, 2), 0)
      expect(small.take(100)).toBe(true)
      clock.ms += 100
    }
    const most = PROCESS_RATE.burstRecords + PROCESS_RATE.recordsPerS * 20
    // Each root keeps its equal share beside the rates of the process.
    expect(sent).toBeLessThan(2 * most)
    expect(sent).toBeGreaterThan(most / 2)
  })
})
