import { createBitReader } from '@vigia/rtsp/bit-reader'
import { box, fullBox, u16, u32 } from '../mp4/boxes.ts'

/** Description of the samples of an AAC track. Each sample holds FRAME_SAMPLES audio samples. */
export interface AudioConfig {
  /** RFC 6381. */
  readonly codecs: 'mp4a.40.2'
  /** Hz; also the timescale of the track. */
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** The `mp4a` box. */
  readonly sampleEntry: Buffer
}

/** One AAC access unit. */
export interface AudioPacket {
  /** Stream time of its first sample, in ms. */
  readonly timeMs: number
  readonly config: AudioConfig
  /** In its own memory. */
  readonly data: Buffer
}

/** Samples of one AAC access unit (ISO/IEC 14496-3, frameLengthFlag 0). */
export const FRAME_SAMPLES = 1024
/** samplingFrequencyIndex, ISO/IEC 14496-3 table 1.18. */
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const AAC_LC = 2
const MOST_CONFIG_BYTES = 64

export const isAacRate = (rate: number): boolean => RATES.includes(rate)

/**
 * Reads an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1). null: not AAC-LC with one or two channels, or frames of
 * another length.
 */
export function audioConfig(specific: Buffer): AudioConfig | null {
  if (specific.length < 2 || specific.length > MOST_CONFIG_BYTES) return null
  const reader = createBitReader(specific)
  const objectType = reader.bits(5)
  const sampleRate = RATES[reader.bits(4)]
  const channels = reader.bits(4)
  const hasShortFrames = reader.bits(1) === 1
  if (objectType !== AAC_LC || sampleRate === undefined || hasShortFrames) return null
  if (channels !== 1 && channels !== 2) return null
  const entry = box(
    'mp4a',
    Buffer.alloc(6),
    u16(1), // data_reference_index
    Buffer.alloc(8),
    u16(channels, 16), // bits a sample
    u32(0),
    u16(sampleRate > 0xffff ? 0 : sampleRate, 0), // 16.16 fixed point
    fullBox('esds', 0, 0, elementaryStream(specific)),
  )
  return { codecs: 'mp4a.40.2', sampleRate, channels, sampleEntry: entry }
}

/** ES_Descriptor, ISO/IEC 14496-1 7.2.6.5. */
function elementaryStream(specific: Buffer): Buffer {
  const decoder = descriptor(
    4,
    Buffer.from([0x40, 0x15]), // Audio ISO/IEC 14496-3; audio stream
    Buffer.alloc(11), // buffer size, largest and mean bit rate: unknown
    descriptor(5, specific),
  )
  return descriptor(3, u16(0), Buffer.from([0]), decoder, descriptor(6, Buffer.from([2])))
}

/** Shorter than 128 bytes, so that its length takes one byte. */
function descriptor(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag, body.length]), body])
}
