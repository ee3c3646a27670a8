import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ownCopy, startCodeFormat } from '../nal-units.ts'
import type { StreamParameters, VideoPacket } from '../packet.ts'
import type { Picture } from '../test-peer/annex-b.ts'
import { fixture, pictures, reorderedPictures, shownAt } from '../test-peer/footage.ts'
import { inspectMp4 } from '../test-peer/inspect-mp4.ts'
import { readAccessUnits } from '../testing/access-units.ts'
import { trackConfig } from './codec-config.ts'
import { createPackager, type InitSegment, type MediaPart } from './packager.ts'
import { progressiveMp4, samplesOf } from './progressive.ts'

const isSet = (codec: 'h264' | 'h265', nal: Buffer) =>
  codec === 'h264' ? [7, 8].includes((nal[0] ?? 0) & 31) : [32, 33, 34].includes(((nal[0] ?? 0) >> 1) & 63)

const setsOf = (codec: 'h264' | 'h265', picture: Picture | undefined): Buffer[] =>
  (picture?.nals ?? []).filter((nal) => isSet(codec, nal)).map(ownCopy)

function parametersOf(codec: 'h264' | 'h265', parameterSets: readonly Buffer[]): StreamParameters {
  const native = () => {
    throw new Error('not decoded')
  }
  return { codec, codecLabel: null, parameterSets, fps: null, split: startCodeFormat.split, native }
}

interface Sent {
  readonly picture: Picture
  readonly timeMs: number
  readonly parameters: StreamParameters
}

const startCode = Buffer.from([0, 0, 0, 1])

/** One run of a connection. The data of a packet are overwritten after each call, as the sources do. */
function run(packager: ReturnType<typeof createPackager>, sent: readonly Sent[]) {
  void packager.opened?.({} as never)
  for (const [sequence, { picture, timeMs, parameters }] of sent.entries()) {
    const data = Buffer.concat(picture.nals.flatMap((nal) => [startCode, nal]))
    const packet: VideoPacket = {
      sequence,
      timeMs,
      parameters,
      keyframe: picture.key,
      bytes: data.length,
      data: () => data,
      native: () => {
        throw new Error('not decoded')
      },
    }
    void packager.packet(packet)
    data.fill(0xee)
  }
  void packager.closed?.()
}

function collect(partMs = 500) {
  const inits: InitSegment[] = []
  const parts: MediaPart[] = []
  const packager = createPackager({
    partMs,
    onInit: (init) => inits.push(init),
    onPart: (part) => parts.push(part),
  })
  return {
    packager,
    inits,
    parts,
    file: () => Buffer.concat([inits[0]?.data, ...parts.map(({ data }) => data)].flatMap((b) => b ?? [])),
  }
}

const every100 = (
  codec: 'h264' | 'h265',
  list: readonly Picture[],
  timeOf = (index: number) => index * 100,
): Sent[] => {
  const parameters = parametersOf(codec, setsOf(codec, list[0]))
  return list.map((picture, index) => ({ picture, timeMs: timeOf(index), parameters }))
}

describe('parts', () => {
  it.each([
    ['h264', 'avc1', /^avc1\.[0-9a-f]{6}$/],
    ['h265', 'hvc1', /^hvc1\.1\.6\.L\d+(\.[0-9A-F]+)*$/],
  ] as const)('of %s are read and decoded completely by FFmpeg', async (codec, tag, codecs) => {
    const { packager, inits, parts, file } = collect()
    run(packager, every100(codec, pictures[codec]))
    expect(inits).toHaveLength(1)
    expect(inits[0]).toMatchObject({ codec, width: 160, height: 120 })
    expect(inits[0]?.codecs).toMatch(codecs)
    expect(
      parts.map(({ segment, index, keyframe, startTicks, durationTicks }) => [
        segment,
        index,
        keyframe,
        startTicks,
        durationTicks,
      ]),
    ).toEqual([
      [0, 0, true, 0, 45_000],
      [0, 1, false, 45_000, 45_000],
      [1, 0, true, 90_000, 45_000],
      [1, 1, false, 135_000, 45_000],
      [2, 0, true, 180_000, 45_000],
      [2, 1, false, 225_000, 45_000],
    ])
    const read = await inspectMp4(file())
    expect(read).toMatchObject({ tag, width: 160, height: 120, decoded: 30, messages: [] })
    expect(read.pictures.map(({ pts }) => pts)).toEqual(Array.from({ length: 30 }, (_, i) => i * 9000))
    expect(read.pictures.map(({ keyframe }) => keyframe)).toEqual(pictures[codec].map(({ key }) => key))
  })

  it('contain neither parameter sets nor delimiters nor SEI', () => {
    const noise = [Buffer.from([9, 0x10]), Buffer.from([6, 5, 1, 0, 0x80]), Buffer.from([12, 0xff, 0x80])]
    const [plain, noisy] = [collect(), collect()]
    run(plain.packager, every100('h264', pictures.h264))
    run(
      noisy.packager,
      every100(
        'h264',
        pictures.h264.map(({ key, nals }) => ({ key, nals: [...noise, ...nals] })),
      ),
    )
    expect(noisy.file().equals(plain.file())).toBe(true)
  })

  it('keep the presentation times of reordered pictures', async () => {
    const { packager, parts, file } = collect()
    run(
      packager,
      every100('h264', reorderedPictures, (index) => shownAt(index) * 100),
    )
    const read = await inspectMp4(file())
    expect(read).toMatchObject({ decoded: 30, messages: [] })
    // FFmpeg moves all times by the largest negative offset.
    const first = Math.min(...read.pictures.map(({ pts }) => pts))
    expect(read.pictures.map(({ pts }) => pts - first)).toEqual(Array.from({ length: 30 }, (_, i) => shownAt(i) * 9000))
    const dts = read.pictures.map((picture) => picture.dts)
    expect(dts).toEqual(dts.toSorted((a, b) => a - b))
    for (const [i, { startTicks, durationTicks }] of parts.entries())
      expect(startTicks + durationTicks).toBe(parts[i + 1]?.startTicks ?? startTicks + durationTicks)
  })

  it('have a new init segment when the parameter sets change', async () => {
    const odd = await readAccessUnits(fileURLToPath(fixture('full-range-odd.mp4')))
    const other = parametersOf('h264', odd.parameterSets)
    const first = every100('h264', pictures.h264.slice(0, 10))
    const second = odd.units.map(
      ({ key, pts, nals }): Sent => ({ picture: { key, nals }, timeMs: 1000 + pts / 90, parameters: other }),
    )
    const { packager, inits, parts } = collect(10_000)
    run(packager, [...first, ...second])
    expect(inits.map(({ width, height }) => [width, height])).toEqual([
      [160, 120],
      [161, 121],
    ])
    const [, ...behind] = parts
    const read = await inspectMp4(Buffer.concat([inits[1]?.data ?? Buffer.alloc(0), ...behind.map(({ data }) => data)]))
    expect(read).toMatchObject({ width: 161, height: 121, decoded: odd.units.length, messages: [] })
  })

  it('extend the picture before a short gap, and begin anew at a keyframe after a long one', () => {
    const timeOf = (index: number) => index * 100 + (index >= 5 ? 800 : 0) + (index >= 15 ? 3000 : 0)
    const { packager, parts } = collect(100)
    run(packager, every100('h264', pictures.h264, timeOf))
    expect(parts.slice(3, 6).map(({ startTicks, durationTicks }) => [startTicks, durationTicks])).toEqual([
      [27_000, 9000],
      [36_000, 81_000],
      [117_000, 9000],
    ])
    // Pictures 15 to 19 depend on missing ones.
    expect(parts).toHaveLength(25)
    expect(parts.filter(({ discontinuity }) => discontinuity).map(({ timeMs }) => timeMs)).toEqual([0, timeOf(20)])
    expect(parts[15]).toMatchObject({ keyframe: true, startTicks: timeOf(20) * 90 })
  })

  it('follow a slow stream without discontinuities', () => {
    const { packager, parts } = collect(100)
    run(
      packager,
      every100('h264', pictures.h264, (index) => index * 2500),
    )
    expect(parts.map(({ discontinuity }) => discontinuity)).toEqual([true, ...Array(29).fill(false)])
  })

  it('continue on one timeline over connections', () => {
    const { packager, inits, parts } = collect(10_000)
    for (let i = 0; i < 2; i++) run(packager, every100('h264', pictures.h264.slice(0, 10)))
    expect(inits).toHaveLength(1)
    expect(parts.map(({ startTicks, discontinuity, segment }) => [startTicks, discontinuity, segment])).toEqual([
      [0, true, 0],
      [90_000, true, 1],
    ])
  })

  it('cost 16 bytes a picture beside the video', () => {
    const { packager, parts } = collect()
    run(packager, every100('h264', pictures.h264))
    const video = pictures.h264.flatMap(({ nals }) => nals.filter((nal) => ![6, 7, 8].includes((nal[0] ?? 0) & 31)))
    const bytes = video.reduce((sum, nal) => sum + nal.length + 4, 0)
    expect(parts.reduce((sum, { data }) => sum + data.length, 0)).toBe(bytes + parts.length * 96 + 30 * 16)
  })

  it('are not made of a codec without a sample entry', () => {
    const { packager, parts } = collect()
    const parameters = { ...parametersOf('h264', []), codec: 'mjpeg' as const }
    run(
      packager,
      every100('h264', pictures.h264).map((sent) => ({ ...sent, parameters })),
    )
    expect(parts).toEqual([])
  })
})

describe('a progressive file', () => {
  const fileOf = (codec: 'h264' | 'h265', list: readonly Picture[], timeOf: (index: number) => number) => {
    const config = trackConfig(codec, setsOf(codec, list[0]))
    if (!config) throw new Error('no parameter sets')
    const coded = list.map(({ key, nals }, i) => ({ keyframe: key, nals, timeMs: timeOf(i) }))
    return progressiveMp4(config, samplesOf(config, coded))
  }

  it.each(['h264', 'h265'] as const)('of %s has every picture, and moov before mdat', async (codec) => {
    const file = fileOf(codec, pictures[codec], (i) => 7000 + i * 100)
    expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'))
    const read = await inspectMp4(file)
    expect(read).toMatchObject({ decoded: 30, duration: 3, messages: [] })
    expect(read.pictures.map(({ pts }) => pts)).toEqual(Array.from({ length: 30 }, (_, i) => i * 9000))
    expect(read.pictures.map(({ keyframe }) => keyframe)).toEqual(pictures[codec].map(({ key }) => key))
  })

  it('keeps the presentation times of reordered pictures', async () => {
    const read = await inspectMp4(fileOf('h264', reorderedPictures, (i) => shownAt(i) * 100))
    expect(read).toMatchObject({ decoded: 30, duration: 3, messages: [] })
    const first = Math.min(...read.pictures.map(({ pts }) => pts))
    expect(read.pictures.map(({ pts }) => pts - first)).toEqual(Array.from({ length: 30 }, (_, i) => shownAt(i) * 9000))
  })

  it('states the chroma format and bit depth of the parameter sets', async () => {
    const odd = await readAccessUnits(fileURLToPath(fixture('full-range-odd.mp4')))
    const config = trackConfig('h264', odd.parameterSets)
    expect(config).toMatchObject({ width: 161, height: 121, codecs: expect.stringMatching(/^avc1\.f4/) })
    // The record of FFmpeg's muxer in the fixture: 4:4:4 with 8 bits.
    const coded = odd.units.map(({ key, nals, pts }) => ({ keyframe: key, nals, timeMs: pts / 90 }))
    if (!config) throw new Error('no parameter sets')
    const { extradata, decoded } = await inspectMp4(progressiveMp4(config, samplesOf(config, coded)))
    expect(extradata.subarray(-4)).toEqual(Buffer.from([0xff, 0xf8, 0xf8, 0]))
    expect(decoded).toBe(odd.units.length)
  })

  it('is not possible without complete parameter sets', () => {
    const [sps, pps] = setsOf('h264', pictures.h264[0])
    expect(trackConfig('h264', [])).toBeNull()
    expect(trackConfig('h264', [sps ?? Buffer.alloc(0)])).toBeNull()
    expect(trackConfig('h264', [Buffer.from([0x67, 66]), pps ?? Buffer.alloc(0)])).toBeNull()
    expect(trackConfig('h265', setsOf('h265', pictures.h265[0]).slice(1))).toBeNull()
  })
})
