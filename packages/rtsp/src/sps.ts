import { type BitReader, createBitReader, withoutEmulation } from './bit-reader.ts'
import { h264Buffering, h265Buffering, maxDpbFrames } from './sps-buffering.ts'

export interface PictureSize {
  /** Pixels, after cropping. */
  readonly width: number
  readonly height: number
}

/** Form of the pictures of a sequence parameter set. */
export interface PictureFormat extends PictureSize {
  /** chroma_format_idc: 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  readonly chroma: number
  /** Bits of a sample. */
  readonly lumaBits: number
  readonly chromaBits: number
  /** Pixels of a picture before cropping, as a decoder holds it. */
  readonly codedPixels: number
  /** Pictures that a decoder may have to hold besides the current one. */
  readonly references: number
}

/** Cameras have no larger pictures: a larger value means that the bytes are not a parameter set. */
const MAX_SIDE = 16_384

/** Picture size from a sequence parameter set; null for another NAL unit or damaged bytes. */
export function pictureSize(codec: 'h264' | 'h265', sps: Uint8Array): PictureSize | null {
  const format = pictureFormat(codec, sps)
  return format && { width: format.width, height: format.height }
}

/** The size with chroma format and bit depths; null as above. */
export const pictureFormat = (codec: 'h264' | 'h265', sps: Uint8Array): PictureFormat | null =>
  codec === 'h264' ? h264Format(sps) : h265Format(sps)

/** Profiles that carry chroma format, bit depth and scaling matrices (H.264 7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

/** ISO/IEC 14496-10, 7.3.2.1.1. */
function h264Format(nal: Uint8Array): PictureFormat | null {
  if (((nal[0] ?? 0) & 0x1f) !== 7) return null
  const reader = createBitReader(withoutEmulation(nal.subarray(1)))
  const profile = reader.bits(8)
  reader.skip(8) // constraint flags
  const level = reader.bits(8)
  reader.unsigned() // seq_parameter_set_id
  const samples = highProfiles.has(profile) ? samplesAndScaling(reader) : { chroma: 1, lumaBits: 8, chromaBits: 8 }
  reader.unsigned() // log2_max_frame_num_minus4
  skipPictureOrder(reader)
  const maxNumRefFrames = reader.unsigned()
  reader.skip(1) // gaps_in_frame_num_value_allowed_flag
  const widthInMbs = reader.unsigned() + 1
  const heightInUnits = reader.unsigned() + 1
  const framesOnly = reader.bits(1)
  if (framesOnly === 0) reader.skip(1) // mb_adaptive_frame_field_flag
  reader.skip(1) // direct_8x8_inference_flag
  const cropping = crop(reader)
  const fieldFactor = 2 - framesOnly
  const { unitX, unitY } = cropUnits(samples)
  const heightInMbs = heightInUnits * fieldFactor
  const format = sized(
    reader,
    samples,
    widthInMbs * 16 - cropping.horizontal * unitX,
    heightInMbs * 16 - cropping.vertical * unitY * fieldFactor,
  )
  if (format === null) return null
  const frameSize = widthInMbs * heightInMbs
  const buffered = h264Buffering(reader) ?? maxDpbFrames(level, frameSize)
  return { ...format, codedPixels: frameSize * 256, references: Math.max(maxNumRefFrames, buffered) }
}

type Samples = Pick<PictureFormat, 'chroma' | 'lumaBits' | 'chromaBits'>

/** Pixels of a unit of the cropping window. */
const cropUnits = ({ chroma }: Samples): { unitX: number; unitY: number } => ({
  unitX: chroma === 1 || chroma === 2 ? 2 : 1,
  unitY: chroma === 1 ? 2 : 1,
})

function samplesAndScaling(reader: BitReader): Samples {
  const chroma = reader.unsigned()
  if (chroma === 3) reader.skip(1) // separate_colour_plane_flag
  const lumaBits = reader.unsigned() + 8
  const chromaBits = reader.unsigned() + 8
  reader.skip(1) // qpprime_y_zero_transform_bypass_flag
  const scalingMatrix = reader.bits(1) === 1
  const lists = scalingMatrix ? (chroma === 3 ? 12 : 8) : 0
  for (let list = 0; list < lists; list++) if (reader.bits(1) === 1) skipScalingList(reader, list < 6 ? 16 : 64)
  return { chroma, lumaBits, chromaBits }
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8
  let next = 8
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + reader.signed() + 256) % 256
    if (next !== 0) last = next
  }
}

function skipPictureOrder(reader: BitReader): void {
  const type = reader.unsigned()
  if (type === 0) reader.unsigned() // log2_max_pic_order_cnt_lsb_minus4
  if (type !== 1) return
  reader.skip(1) // delta_pic_order_always_zero_flag
  reader.signed()
  reader.signed()
  const frames = Math.min(reader.unsigned(), 255)
  for (let i = 0; i < frames; i++) reader.signed()
}

/** ISO/IEC 23008-2, 7.3.2.2.1 up to the bit depths. */
function h265Format(nal: Uint8Array): PictureFormat | null {
  if ((((nal[0] ?? 0) >> 1) & 0x3f) !== 33) return null
  const reader = createBitReader(withoutEmulation(nal.subarray(2)))
  reader.skip(4) // sps_video_parameter_set_id
  const subLayers = reader.bits(3)
  reader.skip(1) // sps_temporal_id_nesting_flag
  skipProfileTierLevel(reader, subLayers)
  reader.unsigned() // sps_seq_parameter_set_id
  const chroma = reader.unsigned()
  if (chroma === 3) reader.skip(1) // separate_colour_plane_flag
  const width = reader.unsigned()
  const height = reader.unsigned()
  const cropping = crop(reader)
  const samples = { chroma, lumaBits: reader.unsigned() + 8, chromaBits: reader.unsigned() + 8 }
  const { unitX, unitY } = cropUnits(samples)
  const format = sized(reader, samples, width - cropping.horizontal * unitX, height - cropping.vertical * unitY)
  return format && { ...format, codedPixels: width * height, references: h265Buffering(reader, subLayers) }
}

/** 7.3.3: 88 bits of profile and 8 of level, then the same for each sub-layer that has them. */
function skipProfileTierLevel(reader: BitReader, subLayers: number): void {
  reader.skip(96)
  let bits = 0
  for (let i = 0; i < subLayers; i++) bits += (reader.bits(1) === 1 ? 88 : 0) + (reader.bits(1) === 1 ? 8 : 0)
  if (subLayers > 0) reader.skip((8 - subLayers) * 2)
  reader.skip(bits)
}

/** The cropping (H.264) or conformance (H.265) window: a flag, then left, right, top, bottom in chroma units. */
function crop(reader: BitReader): { horizontal: number; vertical: number } {
  if (reader.bits(1) === 0) return { horizontal: 0, vertical: 0 }
  const horizontal = reader.unsigned() + reader.unsigned()
  return { horizontal, vertical: reader.unsigned() + reader.unsigned() }
}

function sized(
  reader: BitReader,
  { chroma, lumaBits, chromaBits }: Samples,
  width: number,
  height: number,
): (Samples & PictureSize) | null {
  const plausible = width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE
  const known = chroma <= 3 && lumaBits <= 16 && chromaBits <= 16
  return plausible && known && !reader.exhausted ? { width, height, chroma, lumaBits, chromaBits } : null
}
