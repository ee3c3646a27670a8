import { type AudioConfig, FRAME_SAMPLES } from '../audio/audio-config.ts'
import { box, fullBox, u32 } from './boxes.ts'
import type { TrackConfig } from './codec-config.ts'
import { audioTrackBox, movieBox } from './movie.ts'
import { type Sample, sampleData } from './sample.ts'
import { createSampleTimes, MOST_REORDERED, TIMESCALE } from './sample-times.ts'

/** A picture in decoding order. */
export interface CodedPicture {
  readonly keyframe: boolean
  /** Presentation time. */
  readonly timeMs: number
  readonly nals: readonly Buffer[]
}

/** The samples of consecutive pictures of one track. */
export function samplesOf(config: TrackConfig, pictures: Iterable<CodedPicture>): Sample[] {
  const times = createSampleTimes<Pick<Sample, 'keyframe' | 'data'>>({ depth: MOST_REORDERED })
  const timed = []
  for (const { keyframe, timeMs, nals } of pictures) {
    const data = sampleData(config.codec, nals, { keyframe, known: config.parameterSets })
    if (data) timed.push(...times.push({ keyframe, data }, Math.round((timeMs * TIMESCALE) / 1000)))
  }
  timed.push(...times.flush())
  return timed.map(({ item, duration, offset }) => ({ ...item, duration, offset }))
}

/** Whole numbers of consecutive equal values: [count, value, count, value, …]. */
function runs(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of values) {
    const last = found.length - 2
    if (found[last + 1] === value) found[last] = (found[last] ?? 0) + 1
    else found.push(1, value)
  }
  return found
}

/** A sample whose content is written elsewhere. */
export interface SampleEntry extends Omit<Sample, 'data'> {
  readonly bytes: number
}

/** Consecutive AAC access units of a file. The first one begins with the first picture. */
export interface FileAudio {
  readonly config: AudioConfig
  readonly units: readonly Buffer[]
}

const audioBytes = (audio: FileAudio | null): number =>
  (audio?.units ?? []).reduce((sum, { length }) => sum + length, 0)

function audioTrack({ config, units }: FileAudio, dataOffset: number): Buffer {
  const tables = [
    fullBox('stts', 0, 0, u32(1, units.length, FRAME_SAMPLES)),
    fullBox('stsc', 0, 0, u32(1, 1, units.length, 1)),
    fullBox('stsz', 0, 0, u32(0, units.length, ...units.map(({ length }) => length))),
    fullBox('stco', 0, 0, u32(1, dataOffset)),
  ]
  return audioTrackBox({ config, samples: units.length, tables })
}

/** The `moov` box of a file whose samples lie one behind the other from `dataOffset` on, the audio first. */
export function moovOf(
  config: TrackConfig,
  samples: readonly SampleEntry[],
  dataOffset: number,
  audio: FileAudio | null = null,
): Buffer {
  const durations = runs(samples.map(({ duration }) => duration))
  const offsets = runs(samples.map(({ offset }) => offset))
  const isReordered = samples.some(({ offset }) => offset !== 0)
  const keyframes = samples.flatMap(({ keyframe }, i) => (keyframe ? [i + 1] : []))
  return movieBox({
    config,
    duration: samples.reduce((sum, sample) => sum + sample.duration, 0),
    tables: [
      fullBox('stts', 0, 0, u32(durations.length / 2, ...durations)),
      fullBox('stss', 0, 0, u32(keyframes.length, ...keyframes)),
      // Version 1: offsets may be negative.
      ...(isReordered ? [fullBox('ctts', 1, 0, u32(offsets.length / 2, ...offsets))] : []),
      fullBox('stsc', 0, 0, u32(1, 1, samples.length, 1)),
      fullBox('stsz', 0, 0, u32(0, samples.length, ...samples.map(({ bytes }) => bytes))),
      fullBox('stco', 0, 0, u32(1, dataOffset + audioBytes(audio))),
    ],
    extends: audio ? [audioTrack(audio, dataOffset)] : [],
  })
}

/** The `ftyp` box of a progressive file. */
export const fileType = (): Buffer => box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso4mp41'))

export const MDAT_HEADER_BYTES = 8
export const mdatHeader = (bytes: number): Buffer =>
  Buffer.concat([u32(bytes + MDAT_HEADER_BYTES), Buffer.from('mdat')])

/** The first sample must be a keyframe. Returns a file with `moov` first, so that players start before its end. */
export function progressiveMp4(
  config: TrackConfig,
  samples: readonly Sample[],
  audio: FileAudio | null = null,
): Buffer {
  const entries = samples.map(({ data, ...sample }) => ({ ...sample, bytes: data.length }))
  const ftyp = fileType()
  const moovBytes = moovOf(config, entries, 0, audio).length
  const moov = moovOf(config, entries, ftyp.length + moovBytes + MDAT_HEADER_BYTES, audio)
  const header = mdatHeader(entries.reduce((sum, { bytes }) => sum + bytes, audioBytes(audio)))
  return Buffer.concat([ftyp, moov, header, ...(audio?.units ?? []), ...samples.map(({ data }) => data)])
}
