import { waitFor } from '@vigia/testing/wait'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import { afterEach, describe, expect, it } from 'vitest'
import { shortClip } from '../test/clips.ts'
import { depacketize } from '../test/depacketize.ts'
import { createPausePoint } from './pause-point.ts'
import { createPlayback, type Playback, type PlaybackOptions } from './playback.ts'
import type { MediaTransport } from './transport.ts'

const clip = await shortClip('campus-b-sub.mp4', 2, 20)
const clip265 = await shortClip('campus-c-h265.mp4', 1, 20)
const now = () => performance.now()
let playing: Playback | null = null
afterEach(() => playing?.pause())

/** Records the packets; a test can mark its send queue as full. */
function memoryTransport() {
  const units: Buffer[][] = []
  const reports: Buffer[] = []
  const raw: Buffer[] = []
  let full = false
  const transport: MediaTransport = {
    header: '',
    congested: () => full,
    sendPackets: (packets) => void units.push([...packets]),
    sendReport: (report) => void reports.push(report),
    sendRaw: (bytes) => void raw.push(bytes),
    close: () => undefined,
  }
  return { transport, units, reports, raw, fill: (value: boolean) => (full = value) }
}

function start(
  video: EncodedVideo,
  sink: ReturnType<typeof memoryTransport>,
  quirk: PlaybackOptions['quirk'] = null,
  startedAt = now(),
) {
  let cut = false
  const onCut = () => {
    cut = true
  }
  const pausePoint = createPausePoint(now, startedAt)
  let keyframes = 0
  const onKeyframe = () => void keyframes++
  const playback = createPlayback({ video, transport: sink.transport, quirk, now, pausePoint, onCut, onKeyframe })
  playing = playback
  return { playback, pausePoint, keyframes: () => keyframes, cut: () => cut }
}

const timestampOf = (unit: Buffer[] | undefined) => unit?.[0]?.readUInt32BE(4) ?? Number.NaN
const nalsOf = (video: EncodedVideo, unit: Buffer[] | undefined) =>
  depacketize(
    video.codec,
    (unit ?? []).map((packet) => packet.subarray(12)),
  )
/** Returns the differences of consecutive 32-bit timestamps, also across the wrap. */
const steps = (units: Buffer[][]) =>
  units.slice(1).map((unit, index) => (timestampOf(unit) - timestampOf(units[index])) >>> 0)

describe('playback', () => {
  it('keeps equal time steps across the seam of the loop', async () => {
    const sink = memoryTransport()
    const { playback } = start(clip, sink)
    const info = playback.play()
    // 40 pictures per round.
    await waitFor('three rounds', () => sink.units.length > 125)
    expect(new Set(steps(sink.units))).toEqual(new Set([450]))
    expect(timestampOf(sink.units[0])).toBe(info.timestamp)
    expect(sink.units[0]?.[0]?.readUInt16BE(2)).toBe(info.sequence)
  })

  it.each([clip, clip265])('sends every unit complete, with parameter sets before keyframes', async (video) => {
    const sink = memoryTransport()
    start(video, sink).playback.play()
    await waitFor('a round and a half', () => sink.units.length > video.units.length * 1.5)
    for (const [index, unit] of sink.units.entries()) {
      const source = video.units[index % video.units.length]
      const slices = nalsOf(video, unit).slice(source?.key ? video.parameterSets.length : 0)
      expect(Buffer.concat(slices).equals(Buffer.concat(source?.nals ?? []))).toBe(true)
      if (source?.key) expect(nalsOf(video, unit)[0]?.equals(video.parameterSets[0] ?? Buffer.alloc(0))).toBe(true)
    }
  })

  it('joins a running channel at the keyframe before its position in the loop', async () => {
    const sink = memoryTransport()
    // After 3 loops and 150 of 200 ms: the last keyframe is the second one, at 100 ms.
    start(clip, sink, null, now() - 750).playback.play()
    await waitFor('a unit', () => sink.units.length > 0)
    const slices = nalsOf(clip, sink.units[0]).slice(clip.parameterSets.length)
    expect(Buffer.concat(slices).equals(Buffer.concat([...(clip.units[20]?.nals ?? [])]))).toBe(true)
  })

  it('skips pictures up to a keyframe for a slow client, without a gap in the sequence numbers', async () => {
    const sink = memoryTransport()
    start(clip, sink).playback.play()
    await waitFor('some units', () => sink.units.length >= 5)
    sink.fill(true)
    const before = sink.units.length
    await new Promise((resolve) => setTimeout(resolve, 130))
    expect(sink.units.length).toBe(before)
    sink.fill(false)
    await waitFor('more units', () => sink.units.length > before + 2)
    const first = nalsOf(clip, sink.units[before])
    expect(first[0]?.equals(clip.parameterSets[0] ?? Buffer.alloc(0))).toBe(true)
    const sequences = sink.units.flat().map((packet) => packet.readUInt16BE(2))
    for (const [index, sequence] of sequences.slice(1).entries())
      expect(sequence).toBe(((sequences[index] ?? 0) + 1) % 65_536)
    // The timestamps include the elapsed time.
    expect(Math.max(...steps(sink.units))).toBeGreaterThan(100 * 90)
  })

  it('advances the RTP time during a pause and resumes at a keyframe', async () => {
    const sink = memoryTransport()
    const { playback } = start(clip, sink)
    playback.play()
    await waitFor('some units', () => sink.units.length >= 5)
    playback.pause()
    const before = sink.units.length
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sink.units.length).toBe(before)
    playback.play()
    await waitFor('more units', () => sink.units.length > before + 2)
    expect(nalsOf(clip, sink.units[before])[0]?.equals(clip.parameterSets[0] ?? Buffer.alloc(0))).toBe(true)
    const gap = (timestampOf(sink.units[before]) - timestampOf(sink.units[before - 1])) >>> 0
    expect(gap).toBeGreaterThan(90 * 90)
    expect(gap).toBeLessThan(90 * 5000)
  })

  it('goes on at the keyframe of its group at a request, without a jump of the time', async () => {
    const sink = memoryTransport()
    const { playback, keyframes } = start(clip, sink)
    playback.play()
    await waitFor('a later group', () => sink.units.length >= 25)
    const before = sink.units.length
    // 20 pictures per group, 40 per round.
    const regular = Math.ceil(before / 20)
    expect(keyframes()).toBe(regular)
    playback.sendKeyframe()
    await waitFor('the next group', () => sink.units.length > before + 20)
    const first = clip.units[before % 40 < 20 ? 0 : 20]
    const keyframe = Buffer.concat([...clip.parameterSets, ...(first?.nals ?? [])])
    expect(Buffer.concat(nalsOf(clip, sink.units[before])).equals(keyframe)).toBe(true)
    expect(new Set(steps(sink.units))).toEqual(new Set([450]))
    expect(keyframes()).toBe(regular + Math.ceil((sink.units.length - before) / 20) - 1)
    playback.pause()
    const last = sink.units.length
    playback.sendKeyframe()
    expect(sink.units.length).toBe(last)
  })

  it('repeats the keyframe of a pause point, also to a new client, and continues from it', async () => {
    const sink = memoryTransport()
    const { playback, pausePoint } = start(clip, sink)
    let reached = 0
    pausePoint.set(100, () => reached++)
    playback.play()
    const keyframe = (unit: number) => Buffer.concat([...clip.parameterSets, ...(clip.units[unit]?.nals ?? [])])
    const isKeyframe = (packets: Buffer[] | undefined) => Buffer.concat(nalsOf(clip, packets)).equals(keyframe(20))
    await waitFor('repeated pictures', () => sink.units.length >= 30)
    expect(reached).toBe(1)
    expect(sink.units.findIndex(isKeyframe)).toBe(20)
    expect(sink.units.slice(20).every(isKeyframe)).toBe(true)
    const joined = memoryTransport()
    const onCut = () => undefined
    const options = { video: clip, transport: joined.transport, quirk: null, now, pausePoint, onCut }
    const late = createPlayback(options)
    late.play()
    await waitFor('pictures of the new client', () => joined.units.length >= 3)
    expect(joined.units.every(isKeyframe)).toBe(true)
    late.pause()
    const before = sink.units.length
    pausePoint.clear()
    await waitFor('the pictures after it', () => sink.units.length > before + 5)
    const after = sink.units.slice(sink.units.findLastIndex(isKeyframe) + 1)
    expect(nalsOf(clip, after[0])).toEqual(clip.units[21]?.nals)
    expect(new Set(steps(sink.units))).toEqual(new Set([450]))
  })

  it('sends a report with the first picture', async () => {
    const sink = memoryTransport()
    start(clip, sink).playback.play()
    await waitFor('a report', () => sink.reports.length === 1)
    expect((timestampOf(sink.units[0]) - (sink.reports[0]?.readUInt32BE(16) ?? 0) + 90_000) >>> 0).toBeLessThan(91_000)
  })
})

describe('quirks of playback', () => {
  it('encerra closes the connection after the set number of frames', async () => {
    const sink = memoryTransport()
    const { playback, cut } = start(clip, sink, { defeito: 'encerra', quadros: 7 })
    playback.play()
    await waitFor('the cut', cut)
    expect(sink.units).toHaveLength(7)
  })

  it('trava and sem_pacotes stop sending', async () => {
    for (const quirk of [
      { defeito: 'trava', quadros: 7 },
      { defeito: 'sem_pacotes', quadros: 0 },
    ] as const) {
      const sink = memoryTransport()
      const { playback, cut } = start(clip, sink, quirk)
      playback.play()
      await waitFor('the frames before it', () => sink.units.length >= quirk.quadros)
      await new Promise((resolve) => setTimeout(resolve, 60))
      expect(sink.units).toHaveLength(quirk.quadros)
      expect(cut()).toBe(false)
    }
  })

  it('lixo sends valid headers around noise, lixo_bruto only noise', async () => {
    const sink = memoryTransport()
    start(clip, sink, { defeito: 'lixo', quadros: 0 }).playback.play()
    await waitFor('units', () => sink.units.length > 10)
    expect(new Set(steps(sink.units))).toEqual(new Set([450]))
    expect(sink.units.flat().some((packet) => packet.includes(clip.parameterSets[0] ?? 'x'))).toBe(false)
    playing?.pause()
    const noise = memoryTransport()
    start(clip, noise, { defeito: 'lixo_bruto', quadros: 0 }).playback.play()
    await waitFor('bytes', () => noise.raw.length > 3)
    expect(noise.units).toHaveLength(0)
  })
})
