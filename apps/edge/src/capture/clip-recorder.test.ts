import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { annexB } from '@vigia/video/codec-parameters'
import { createConnection } from '@vigia/video/connection'
import { createMask } from '@vigia/video/mask'
import { startCodeFormat } from '@vigia/video/nal-units'
import type { VideoPacket } from '@vigia/video/packet'
import type { ReaderSession } from '@vigia/video/packet-reader'
import { createSpillSpace } from '@vigia/video/readers/spill'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import { withLongGroups } from '@vigia/video/testing/long-groups'
import { openStill } from '@vigia/video/testing/still'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { flatHalves, flatHalvesOfFile } from '../testing/flat-halves.ts'
import type { ClipRecorderOptions } from './clip-options.ts'
import { createClipRecorder } from './clip-recorder.ts'
import type { ClipSpan } from './clip-span.ts'
import type { SeenClip } from './model.ts'

/** 26 seconds, 10 pictures a second. */
const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))
const h265 = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-c-h265.mp4', import.meta.url))
/** Edge clock at stream time 0. */
const ORIGIN = 1_700_000_000_000
const UNMASKED: Pick<ClipRecorderOptions, 'mask' | 'inTurn'> = { mask: null, inTurn: (work) => work() }
const dir = temporaryFolder('vigia-clips-')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Raised {
  readonly ref: string
  /** Stream time of the picture, and of the report. */
  readonly atMs: number
  readonly raisedMs?: number
  readonly span?: ClipSpan
}

/** Plays a file and raises events; returns the clips and the references without one. */
async function record(raised: readonly Raised[], options: Partial<ClipRecorderOptions> = {}, file = footage) {
  const clips: SeenClip[] = []
  const missing: { refs: readonly string[]; failure: string }[] = []
  const recorder = createClipRecorder({
    cameraId: 7,
    ...UNMASKED,
    log: pino({ level: 'silent' }),
    onClip: (clip) => clips.push(clip),
    onMissing: (refs, failure) => missing.push({ refs, failure }),
    ...options,
  })
  const reach = raised.flatMap(({ span }) => span?.beforeMs ?? [])
  if (reach.length > 0) recorder.reach(Math.max(...reach))
  const connection = createConnection({ url: file })
  connection.attach(
    {
      packet({ timeMs }) {
        recorder.frame(timeMs, ORIGIN + timeMs)
        for (const { ref, atMs, raisedMs = atMs, span } of raised)
          if (Math.abs(timeMs - raisedMs) < 1) recorder.event(ref, ORIGIN + atMs, span)
      },
    },
    { awaited: true },
  )
  connection.attach(recorder.reader)
  expect(await connection.run(AbortSignal.timeout(20_000))).toBe('end')
  await recorder.stop()
  return { clips, missing }
}

async function unitsOf({ data }: SeenClip) {
  const file = join(dir, 'clip.mp4')
  writeFileSync(file, data)
  return await readAccessUnits(file)
}

describe('the clip of an event', () => {
  it('reaches from a keyframe at least 5 s before to 5 s after the event', async () => {
    const { clips, missing } = await record([{ ref: 'a', atMs: 13_000 }])
    expect(missing).toEqual([])
    const [clip] = clips
    if (!clip) throw new Error('no clip')
    const [event] = clip.events
    expect(event?.ref).toBe('a')
    expect(event?.offsetMs).toBeGreaterThanOrEqual(5000)
    expect(event?.offsetMs).toBeLessThan(8000)
    expect(clip.startedAt + (event?.offsetMs ?? 0)).toBeCloseTo(ORIGIN + 13_000, -1)
    expect(clip.durationMs).toBeCloseTo((event?.offsetMs ?? 0) + 5100, -2)
    expect(clip).toMatchObject({ cameraId: 7, width: 384, height: 288, codecs: expect.stringMatching(/^avc1\./) })
    expect(clip.sha256).toBe(createHash('sha256').update(clip.data).digest('hex'))
    const video = await unitsOf(clip)
    expect(video.units).toHaveLength(Math.round(clip.durationMs / 100))
    expect(video.units[0]?.key).toBe(true)
  })

  it('has the span of its event', async () => {
    const [short, long] = await Promise.all([
      record([{ ref: 'a', atMs: 13_000, span: { beforeMs: 0, afterMs: 2_000 } }]),
      record([{ ref: 'a', atMs: 22_000, span: { beforeMs: 18_000, afterMs: 1_000 } }]),
    ])
    const [shortEvent, longEvent] = [short.clips[0]?.events[0], long.clips[0]?.events[0]]
    expect(shortEvent?.offsetMs).toBeLessThan(3_000)
    expect(short.clips[0]?.durationMs).toBeCloseTo((shortEvent?.offsetMs ?? 0) + 2_100, -2)
    expect(longEvent?.offsetMs).toBeGreaterThanOrEqual(18_000)
    expect(long.clips[0]?.durationMs).toBeCloseTo((longEvent?.offsetMs ?? 0) + 1_100, -2)
  })

  it('has a strip of its keyframes', async () => {
    for (const file of [footage, h265]) {
      const { clips } = await record([{ ref: 'a', atMs: 6000 }], {}, file)
      const still = await openStill(clips[0]?.strip ?? Buffer.alloc(0))
      expect(still?.frame.height).toBe(120)
      expect((still?.frame.width ?? 0) % 160).toBe(0)
      expect(still?.frame.width).toBeGreaterThanOrEqual(5 * 160)
      expect(clips[0]?.strip?.length).toBeLessThan(256 * 1024)
      await still?.release()
    }
  })

  it('is shared by events whose windows overlap, with the offset of each', async () => {
    const { clips } = await record([
      { ref: 'a', atMs: 6000 },
      { ref: 'b', atMs: 9000, raisedMs: 12_000 },
      { ref: 'c', atMs: 15_000 },
    ])
    expect(clips).toHaveLength(1)
    const offsets = clips[0]?.events.map(({ ref, offsetMs }) => [ref, offsetMs - (clips[0]?.events[0]?.offsetMs ?? 0)])
    expect(offsets).toEqual([
      ['a', 0],
      ['b', 3000],
      ['c', 9000],
    ])
    expect(clips[0]?.durationMs).toBeGreaterThanOrEqual(19_000)
  })

  it('is of its own when windows do not overlap, or beyond the longest duration', async () => {
    const apart = await record([
      { ref: 'a', atMs: 5000 },
      { ref: 'b', atMs: 17_000 },
    ])
    expect(apart.clips.map(({ events }) => events.map(({ ref }) => ref))).toEqual([['a'], ['b']])
    const events = [6000, 9000, 12_000, 15_000].map((atMs) => ({ ref: `${atMs}`, atMs }))
    const long = await record(events, { longestMs: 14_000 })
    expect(long.clips.map(({ events: of }) => of.map(({ ref }) => ref))).toEqual([
      ['6000', '9000'],
      ['12000', '15000'],
    ])
    for (const { durationMs } of long.clips) expect(durationMs).toBeLessThan(14_000 + 2000)
  })

  it('ends with the stream, and begins with it', async () => {
    const { clips } = await record([
      { ref: 'first', atMs: 1000 },
      { ref: 'last', atMs: 25_000 },
    ])
    expect(clips[0]).toMatchObject({ startedAt: ORIGIN, events: [{ ref: 'first', offsetMs: 1000 }] })
    expect((clips[1]?.startedAt ?? 0) + (clips[1]?.durationMs ?? 0)).toBe(ORIGIN + 26_000)
  })

  it('ends early when its memory is full', async () => {
    const { clips, missing } = await record([{ ref: 'a', atMs: 13_000 }], { maxBytes: 300_000 })
    expect(missing).toEqual([])
    expect(clips[0]?.data.length).toBeLessThan(300_000)
    expect(clips[0]?.events[0]?.ref).toBe('a')
  })

  it.each([
    ['from its keyframe', 20_000, 20_000],
    ['as a small copy with keyframes of its own', 90_000, 5_000],
  ])('in a group of 120 s is cut %s', async (_how, atMs, offsetMs) => {
    const { codec, parameterSets, units } = await withLongGroups(await readAccessUnits(footage), 1_200)
    const clips: SeenClip[] = []
    const spill = createSpillSpace({ folder: join(dir, 'anel'), maxBytes: 2 ** 26, reserveBytes: 0 })
    const recorder = createClipRecorder({
      cameraId: 7,
      ...UNMASKED,
      // A third of the group.
      maxBytes: 500_000,
      spill,
      log: pino({ level: 'silent' }),
      onClip: (clip) => clips.push(clip),
      onMissing: (refs, failure) => expect.fail(`${refs} ${failure}`),
    })
    const parameters = { codec, codecLabel: null, parameterSets, fps: null, split: startCodeFormat.split }
    void recorder.reader.opened?.({} as ReaderSession)
    for (const [i, { key, nals }] of units.entries()) {
      const data = annexB(nals)
      const packet = { sequence: i, keyframe: key, timeMs: i * 100, bytes: data.length, data: () => data }
      void recorder.reader.packet({ ...packet, parameters } as unknown as VideoPacket)
      recorder.frame(i * 100, ORIGIN + i * 100)
      if (i * 100 === atMs) recorder.event('a', ORIGIN + atMs)
    }
    await recorder.stop()
    const [clip] = clips
    if (!clip) throw new Error('no clip')
    expect(clip.events).toEqual([{ ref: 'a', offsetMs }])
    expect(clip.startedAt).toBe(ORIGIN + atMs - offsetMs)
    expect(clip.durationMs).toBeCloseTo(offsetMs + 5_100, -2)
    expect((await unitsOf(clip)).units[0]?.key).toBe(true)
    const still = await openStill(clip.strip ?? Buffer.alloc(0))
    expect(still?.frame.width).toBeGreaterThanOrEqual(5 * 160)
    await still?.release()
    expect(spill.bytes).toBe(0)
  })

  it.each([footage, h265])('of a masked camera is a small copy with flat masked pixels (%#)', async (file) => {
    const mask = createMask([[0.5, 0, 1, 0, 1, 1, 0.5, 1]])
    const { clips, missing } = await record([{ ref: 'a', atMs: 6000 }], { mask }, file)
    expect(missing).toEqual([])
    const [clip] = clips
    if (!clip?.strip) throw new Error('no clip with a strip')
    expect(clip.codec).toBe('h264')
    expect(Math.max(clip.width, clip.height)).toBeLessThanOrEqual(640)
    expect(clip.durationMs).toBeGreaterThan(9_500)
    const path = join(dir, 'masked.mp4')
    writeFileSync(path, clip.data)
    const halves = await flatHalvesOfFile(path)
    expect(halves.length).toBeGreaterThan(15)
    expect(new Set(halves.map(String))).toEqual(new Set(['false,true']))
    const strip = await openStill(clip.strip)
    if (!strip) throw new Error('no strip')
    const tiles = await flatHalves(strip.frame, strip.frame.width / 160)
    await strip.release()
    expect(tiles.length).toBeGreaterThan(4)
    expect(tiles.every((flat, i) => flat === (i % 2 === 1))).toBe(true)
  })

  it('is missing when the stream did not cover the event', async () => {
    expect((await record([{ ref: 'a', atMs: -20_000, raisedMs: 2000 }])).missing).toEqual([
      { refs: ['a'], failure: 'sem_quadros' },
    ])
    const recorder = createClipRecorder({
      cameraId: 7,
      ...UNMASKED,
      log: pino({ level: 'silent' }),
      onClip: () => {},
      onMissing: (refs, failure) => expect([refs, failure]).toEqual([['a'], 'sem_quadros']),
    })
    recorder.event('a', ORIGIN)
    expect.assertions(3)
  })

  it('is missing for a codec that MP4 players do not know', async () => {
    const missing: unknown[] = []
    const recorder = createClipRecorder({
      cameraId: 7,
      ...UNMASKED,
      log: pino({ level: 'silent' }),
      onClip: () => missing.push('clip'),
      onMissing: (refs, failure) => missing.push([refs, failure]),
    })
    const parameters = { codec: 'mjpeg', codecLabel: null, parameterSets: [], fps: null, split: () => null }
    for (let i = 0; i < 20; i++) {
      const packet = { sequence: i, keyframe: true, timeMs: i * 1000, bytes: 10, data: () => Buffer.alloc(10) }
      void recorder.reader.packet({ ...packet, parameters } as unknown as VideoPacket)
      recorder.frame(i * 1000, ORIGIN + i * 1000)
      if (i === 6) recorder.event('a', ORIGIN + 6000)
    }
    await recorder.stop()
    expect(missing).toEqual([[['a'], 'codec_desconhecido']])
  })
})
