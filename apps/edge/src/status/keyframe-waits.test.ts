import { expect, it } from 'vitest'
import type { StreamStatus } from '../capture/model.ts'
import { keyframeWaits } from './keyframe-waits.ts'

const stream = (rest: Partial<StreamStatus> = {}): StreamStatus => ({
  cameraId: 1,
  choice: 'sub',
  online: false,
  failure: null,
  detail: null,
  lastFrameAgeMs: null,
  codec: 'h264',
  resolution: null,
  fps: null,
  keyframeIntervalMs: null,
  keyframeAgeMs: 7_000,
  bitrateKbps: null,
  memoryBytes: null,
  reading: true,
  ...rest,
})
const waits = (rest: Partial<StreamStatus>, live: Parameters<typeof keyframeWaits>[1] = [], isMasked = false) =>
  keyframeWaits({ stream: stream(rest), ageMs: 500 }, live, isMasked)
const sub = (ha_ms: number) => [{ fluxo: 'secundario', ha_ms }]
const main = { fluxo: 'principal', ms: 5_100.4 } as const

it.each([
  ['the first picture of a stream', {}, sub(7_500)],
  ['the first picture after a reconnection', { lastFrameAgeMs: 20_000 }, sub(7_500)],
  ['the end of a damaged group', { keyframeAgeMs: 70_000, lastFrameAgeMs: 6_000 }, sub(6_500)],
  ['nothing, while pictures are decoded', { keyframeAgeMs: 70_000, lastFrameAgeMs: 200 }, []],
  ['nothing, just after its beginning', { keyframeAgeMs: 1_000 }, []],
  ['nothing, without a connection', { reading: false }, []],
  ['nothing, without a picture', { keyframeAgeMs: null }, []],
])('waits for %s', (_, rest, expected) => {
  expect(waits(rest)).toEqual(expected)
})

it('adds live streams, and names each stream once', () => {
  expect(waits({}, [main])).toEqual([{ fluxo: 'principal', ha_ms: 5_100 }, ...sub(7_500)])
  expect(waits({ choice: 'principal' }, [main])).toEqual([{ fluxo: 'principal', ha_ms: 7_500 }])
  expect(keyframeWaits(null, [main], false)).toEqual([])
})

it('names the analysed stream for the copy of a masked camera', () => {
  expect(waits({ keyframeAgeMs: 60_000, lastFrameAgeMs: 200 }, [main], true)).toEqual(sub(5_100))
})
