import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createConnection } from '../connection.ts'
import { fixture, pictures, playFootage } from '../test-peer/footage.ts'
import { startRtspPeer } from '../test-peer/rtsp-peer.ts'
import { createActivityMeter, type StreamActivity } from './activity.ts'

const FFPROBE = 'ffprobe'
const hasFfprobe = spawnSync(FFPROBE, ['-version']).status === 0

async function measure(url: string): Promise<StreamActivity | null> {
  const meter = createActivityMeter()
  const connection = createConnection({ url })
  connection.attach(meter)
  await connection.run(AbortSignal.timeout(20_000))
  return meter.read()
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('the activity of a stream', () => {
  it('is measured on stream time, independent of the arrival times', async () => {
    const peer = await startRtspPeer({
      play: (rtp, connection) =>
        void playFootage(rtp, connection, { count: 31, intervalMs: 2 }).then(() => connection.end()),
    })
    const found = await measure(peer.url())
    await peer.close()
    expect(found).toMatchObject({ packetsPerSecond: 10, keyframeIntervalMs: 1000, packetsPerKeyframe: 10 })
    const bytes = pictures.h264.map(({ nals }) => nals.reduce((sum, nal) => sum + nal.length + 4, 0))
    const [keys, others] = [true, false].map((key) => bytes.filter((_size, i) => pictures.h264[i]?.key === key))
    expect(found?.keyframeBytes).toBeCloseTo(mean(keys ?? []), -1)
    expect(found?.otherPacketBytes).toBeCloseTo(mean(others ?? []), -1)
    expect(found?.bytesPerSecond).toBeCloseTo(mean(bytes) * 10, -2)
  })

  it('is unknown before the second keyframe', async () => {
    const peer = await startRtspPeer({
      play: (rtp, connection) => void playFootage(rtp, connection, { count: 9 }).then(() => connection.end()),
    })
    expect(await measure(peer.url())).toBeNull()
    await peer.close()
  })

  it.runIf(hasFfprobe)('equals the result of ffprobe (needs ffmpeg)', async () => {
    const file = fileURLToPath(fixture('full-range-odd.mp4'))
    const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,size,flags', '-of', 'csv=p=0']
    const { stdout } = spawnSync(FFPROBE, ['-v', 'error', ...entries, file], { encoding: 'utf8' })
    const packets = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(','))
      .map(([time, size, flags]) => ({ timeMs: Number(time) * 1000, bytes: Number(size), key: flags?.startsWith('K') }))
    const lastKey = packets.findLastIndex(({ key }) => key)
    const whole = packets.slice(0, lastKey)
    const seconds = ((packets[lastKey]?.timeMs ?? 0) - (packets[0]?.timeMs ?? 0)) / 1000
    const total = whole.reduce((sum, { bytes }) => sum + bytes, 0)
    const keys = whole.filter(({ key }) => key).map(({ bytes }) => bytes)
    const found = await measure(file)
    expect(found?.bytesPerSecond).toBeCloseTo(total / seconds, 6)
    expect(found?.packetsPerSecond).toBeCloseTo(whole.length / seconds, 6)
    expect(found?.keyframeIntervalMs).toBeCloseTo((seconds * 1000) / keys.length, 6)
    expect(found?.keyframeBytes).toBeCloseTo(mean(keys), 6)
    expect(found?.otherPacketBytes).toBeCloseTo(mean(whole.filter(({ key }) => !key).map(({ bytes }) => bytes)), 6)
  })
})
