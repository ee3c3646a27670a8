import { type AudioConfig, FRAME_SAMPLES } from '../audio/audio-config.ts'
import { box, fullBox, u16, u32 } from './boxes.ts'
import type { TrackConfig } from './codec-config.ts'
import { TIMESCALE } from './sample-times.ts'

const IDENTITY = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const UNDETERMINED_LANGUAGE = 0x55c4
export const TRACK_ID = 1
export const AUDIO_TRACK_ID = 2
/** Enabled, in movie, in preview. */
const TRACK_FLAGS = 7
/** 8.8 fixed point. */
const FULL_VOLUME = 0x100

export interface MovieOptions {
  readonly config: TrackConfig
  /** Ticks; 0 in an init segment. */
  readonly duration: number
  /** Boxes of the sample table behind `stsd`. */
  readonly tables: readonly Buffer[]
  /** Boxes behind the track. */
  readonly extends?: readonly Buffer[]
}

interface MediaOptions {
  readonly handler: 'vide' | 'soun'
  readonly timescale: number
  readonly duration: number
  /** The media header box. */
  readonly header: Buffer
  readonly sampleEntry: Buffer
  readonly tables: readonly Buffer[]
}

function mediaBox({ handler, timescale, duration, header, sampleEntry, tables }: MediaOptions): Buffer {
  const stbl = box('stbl', fullBox('stsd', 0, 0, u32(1), sampleEntry), ...tables)
  const references = box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1)))
  return box(
    'mdia',
    fullBox('mdhd', 0, 0, u32(0, 0, timescale, duration), u16(UNDETERMINED_LANGUAGE, 0)),
    fullBox('hdlr', 0, 0, u32(0), Buffer.from(handler), Buffer.alloc(12), Buffer.from('\0')),
    box('minf', header, references, stbl),
  )
}

/** The `moov` box of a file with one video track (ISO/IEC 14496-12 8.2.1). */
export function movieBox({ config, duration, tables, extends: behind = [] }: MovieOptions): Buffer {
  const { width, height, sampleEntry } = config
  const header = fullBox('vmhd', 0, 1, Buffer.alloc(8))
  const trak = box(
    'trak',
    fullBox(
      'tkhd',
      0,
      TRACK_FLAGS,
      u32(0, 0, TRACK_ID, 0, duration),
      Buffer.alloc(16),
      IDENTITY,
      // 16.16 fixed point
      u32(width * 0x10000, height * 0x10000),
    ),
    mediaBox({ handler: 'vide', timescale: TIMESCALE, duration, header, sampleEntry, tables }),
  )
  const mvhd = fullBox(
    'mvhd',
    0,
    0,
    u32(0, 0, TIMESCALE, duration, 0x10000),
    u16(FULL_VOLUME, 0),
    Buffer.alloc(8),
    IDENTITY,
    Buffer.alloc(24),
    u32(AUDIO_TRACK_ID + 1),
  )
  return box('moov', mvhd, trak, ...behind)
}

/** The `trak` box of an AAC track. `samples`: access units; 0 in an init segment. */
export function audioTrackBox({
  config: { sampleRate, sampleEntry },
  samples,
  tables,
}: {
  readonly config: AudioConfig
  readonly samples: number
  readonly tables: readonly Buffer[]
}): Buffer {
  const duration = samples * FRAME_SAMPLES
  const header = fullBox('smhd', 0, 0, u32(0))
  return box(
    'trak',
    fullBox(
      'tkhd',
      0,
      TRACK_FLAGS,
      u32(0, 0, AUDIO_TRACK_ID, 0, Math.round((duration * TIMESCALE) / sampleRate)),
      Buffer.alloc(8),
      u16(0, 0, FULL_VOLUME, 0),
      IDENTITY,
      u32(0, 0),
    ),
    mediaBox({ handler: 'soun', timescale: sampleRate, duration, header, sampleEntry, tables }),
  )
}
