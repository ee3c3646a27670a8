import { createBitReader, withoutEmulation } from '@vigia/rtsp/bit-reader'
import { type PictureFormat, pictureFormat } from '@vigia/rtsp/sps'
import { nalType } from '../nal-units.ts'
import { box, u16, u32 } from './boxes.ts'

export type TrackCodec = 'h264' | 'h265'

/** Description of the samples of a video track. */
export interface TrackConfig {
  readonly codec: TrackCodec
  /** RFC 6381, such as `avc1.4d401f`. */
  readonly codecs: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly parameterSets: readonly Buffer[]
  /** The `avc1` or `hvc1` box. */
  readonly sampleEntry: Buffer
}

const NAL_TYPES = { h264: { sps: 7, pps: 8 }, h265: { vps: 32, sps: 33, pps: 34 } } as const
/** NAL units in a sample follow a length of four bytes. */
const LENGTH_SIZE_MINUS_ONE = 3

/** Null: a parameter set is missing or damaged. */
export function trackConfig(codec: TrackCodec, parameterSets: readonly Buffer[]): TrackConfig | null {
  const ofType = (type: number) => parameterSets.filter((nal) => nalType(codec, nal) === type)
  const [sps] = ofType(NAL_TYPES[codec].sps)
  const format = sps && pictureFormat(codec, sps)
  if (!sps || !format || ofType(NAL_TYPES[codec].pps).length === 0) return null
  if (codec === 'h265' && ofType(NAL_TYPES.h265.vps).length === 0) return null
  const { width, height } = format
  const record = codec === 'h264' ? avcRecord(sps, ofType, format) : hevcRecord(sps, ofType, format)
  const sampleEntry = box(
    codec === 'h264' ? 'avc1' : 'hvc1',
    Buffer.alloc(6),
    u16(1), // data_reference_index
    Buffer.alloc(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0), // 72 dpi
    u16(1), // frame_count
    Buffer.alloc(32), // compressorname
    u16(0x18, 0xffff), // depth, pre_defined
    box(codec === 'h264' ? 'avcC' : 'hvcC', record),
  )
  const codecs = codec === 'h264' ? `avc1.${sps.toString('hex', 1, 4)}` : hevcCodecs(sps)
  return { codec, codecs, width, height, parameterSets, sampleEntry }
}

type SetsOfType = (type: number) => readonly Buffer[]

const counted = (sets: readonly Buffer[]): Buffer[] => sets.flatMap((set) => [u16(set.length), set])

/** Profiles whose record ends before the chroma format. */
const basicProfiles = new Set([66, 77, 88])

/** AVCDecoderConfigurationRecord, ISO/IEC 14496-15 5.3.3.1. */
function avcRecord(sps: Buffer, ofType: SetsOfType, { chroma, lumaBits, chromaBits }: PictureFormat): Buffer {
  const [all, pps] = [ofType(NAL_TYPES.h264.sps), ofType(NAL_TYPES.h264.pps)]
  const high = [0xfc | chroma, 0xf8 | (lumaBits - 8), 0xf8 | (chromaBits - 8), 0]
  return Buffer.concat([
    Buffer.from([1]),
    sps.subarray(1, 4), // profile, constraint flags, level
    Buffer.from([0xfc | LENGTH_SIZE_MINUS_ONE, 0xe0 | all.length]),
    ...counted(all),
    Buffer.from([pps.length]),
    ...counted(pps),
    Buffer.from(basicProfiles.has(sps[1] ?? 0) ? [] : high),
  ])
}

/** HEVCDecoderConfigurationRecord, ISO/IEC 14496-15 8.3.3.1. */
function hevcRecord(sps: Buffer, ofType: SetsOfType, { chroma, lumaBits, chromaBits }: PictureFormat): Buffer {
  const { subLayers, nested, profileTierLevel } = readProfile(sps)
  const arrays = Object.values(NAL_TYPES.h265).map((type) => ({ type, sets: ofType(type) }))
  return Buffer.concat([
    Buffer.from([1]),
    profileTierLevel,
    u16(0xf000), // min_spatial_segmentation_idc: unknown
    Buffer.from([0xfc, 0xfc | chroma, 0xf8 | (lumaBits - 8), 0xf8 | (chromaBits - 8)]),
    u16(0), // avgFrameRate: unknown
    Buffer.from([((subLayers + 1) << 3) | (nested << 2) | LENGTH_SIZE_MINUS_ONE, arrays.length]),
    ...arrays.flatMap(({ type, sets }) => [Buffer.from([0x80 | type]), u16(sets.length), ...counted(sets)]),
  ])
}

/** ISO/IEC 23008-2 7.3.2.2.1: the 12 bytes of general profile, tier and level follow the first byte. */
function readProfile(sps: Buffer): { subLayers: number; nested: number; profileTierLevel: Buffer } {
  const payload = withoutEmulation(sps.subarray(2))
  const reader = createBitReader(payload)
  reader.skip(4) // sps_video_parameter_set_id
  const subLayers = reader.bits(3)
  return { subLayers, nested: reader.bits(1), profileTierLevel: Buffer.from(payload.subarray(1, 13)) }
}

/** ISO/IEC 14496-15 annex E.3. */
function hevcCodecs(sps: Buffer): string {
  const { profileTierLevel: bytes } = readProfile(sps)
  const first = bytes[0] ?? 0
  const space = ['', 'A', 'B', 'C'][first >> 6] ?? ''
  const compatibility = reversedBits(bytes.readUInt32BE(1)).toString(16).toUpperCase()
  const tier = (first & 0x20) === 0 ? 'L' : 'H'
  const constraints = [...bytes.subarray(5, 11)]
  while (constraints.at(-1) === 0) constraints.pop()
  const ending = constraints.map((value) => `.${value.toString(16).toUpperCase()}`).join('')
  return `hvc1.${space}${first & 0x1f}.${compatibility}.${tier}${bytes[11] ?? 0}${ending}`
}

function reversedBits(value: number): number {
  let reversed = 0
  for (let bit = 0; bit < 32; bit++) reversed = reversed * 2 + ((value >>> bit) & 1)
  return reversed
}
