import type { BitReader } from './bit-reader.ts'

/** Largest number of reference pictures of both standards. */
const MOST = 16
/** aspect_ratio_idc: the ratio follows. */
const EXTENDED_SAR = 255

/** MaxDpbMbs by level_idc (ISO/IEC 14496-10, table A-1), ascending. */
const dpbMacroblocks: readonly (readonly [level: number, macroblocks: number])[] = [
  [10, 396],
  [11, 900],
  [20, 2_376],
  [21, 4_752],
  [30, 8_100],
  [31, 18_000],
  [32, 20_480],
  [41, 32_768],
  [42, 34_816],
  [50, 110_400],
  [51, 184_320],
  [62, 696_320],
]

/** Pictures that a stream of this level may buffer without saying so (A.3.1). */
export function maxDpbFrames(level: number, frameSizeMbs: number): number {
  const macroblocks = dpbMacroblocks.find(([upTo]) => level <= upTo)?.[1] ?? Number.POSITIVE_INFINITY
  return Math.min(MOST, Math.floor(macroblocks / Math.max(1, frameSizeMbs)))
}

/**
 * max_dec_frame_buffering of the VUI (E.1.1), which follows the cropping window. null: the stream does not say it, or
 * the bytes end before.
 */
export function h264Buffering(reader: BitReader): number | null {
  if (reader.bits(1) === 0) return null // vui_parameters_present_flag
  if (reader.bits(1) === 1 && reader.bits(8) === EXTENDED_SAR) reader.skip(32)
  if (reader.bits(1) === 1) reader.skip(1) // overscan_appropriate_flag
  if (reader.bits(1) === 1) {
    reader.skip(4) // video_format, video_full_range_flag
    if (reader.bits(1) === 1) reader.skip(24) // colours
  }
  if (reader.bits(1) === 1) {
    reader.unsigned() // chroma_sample_loc_type_top_field
    reader.unsigned()
  }
  if (reader.bits(1) === 1) reader.skip(65) // timing
  const nalHrd = reader.bits(1) === 1
  if (nalHrd) skipHrd(reader)
  const vclHrd = reader.bits(1) === 1
  if (vclHrd) skipHrd(reader)
  if (nalHrd || vclHrd) reader.skip(1) // low_delay_hrd_flag
  reader.skip(1) // pic_struct_present_flag
  if (reader.bits(1) === 0) return null // bitstream_restriction_flag
  reader.skip(1) // motion_vectors_over_pic_boundaries_flag
  for (let field = 0; field < 4; field++) reader.unsigned()
  const reordered = reader.unsigned()
  const buffered = Math.max(reordered, reader.unsigned())
  return reader.exhausted ? null : buffered
}

/** E.1.2 */
function skipHrd(reader: BitReader): void {
  const count = Math.min(reader.unsigned(), 31) + 1
  reader.skip(8) // bit_rate_scale, cpb_size_scale
  for (let i = 0; i < count; i++) {
    reader.unsigned()
    reader.unsigned()
    reader.skip(1)
  }
  reader.skip(20) // lengths
}

/** The largest sps_max_dec_pic_buffering of a layer (ISO/IEC 23008-2, 7.3.2.2.1), behind the bit depths. */
export function h265Buffering(reader: BitReader, subLayers: number): number {
  reader.unsigned() // log2_max_pic_order_cnt_lsb_minus4
  const each = reader.bits(1) === 1 // sps_sub_layer_ordering_info_present_flag
  let most = 0
  for (let layer = each ? 0 : subLayers; layer <= subLayers; layer++) {
    most = Math.max(most, reader.unsigned())
    reader.unsigned() // sps_max_num_reorder_pics
    reader.unsigned() // sps_max_latency_increase_plus1
  }
  // Bytes that end early say nothing.
  return reader.exhausted ? MOST : most
}
