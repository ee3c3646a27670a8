import sharp from 'sharp'
import { openPicture } from './picture.ts'
import type { AlarmPictures } from './second-model.ts'

/**
 * Minimum shorter side of a cut, pixels. Qwen2.5-VL fails below 28 (ollama #11297, vllm #15080), and 224 is the input
 * of common image encoders.
 */
const MIN_CUT = 224
/** Largest longer side of a cut, pixels. */
const MAX_CUT = 1024
/** Largest longer side of a whole frame, pixels: models reduce larger pictures, and each pixel costs tokens. */
const MAX_FRAME = 1280
const QUALITY = 85

/** JPEG pictures of an alarm for a model on another machine. */
export interface RemotePictures {
  readonly cut: Buffer
  /** null: only the cut exists. */
  readonly frame: Buffer | null
}

/**
 * Encodes the pictures again, so that no metadata leaves. Throws VigiaError `validacao` for an undecodable picture.
 */
export async function remotePictures(pictures: Pick<AlarmPictures, 'crop' | 'frame'>): Promise<RemotePictures> {
  const { crop, frame } = pictures
  return { cut: await encode(crop, cutScale), frame: frame === null ? null : await encode(frame, frameScale) }
}

const cutScale = (shorter: number, longer: number): number => Math.min(Math.max(1, MIN_CUT / shorter), MAX_CUT / longer)
const frameScale = (_shorter: number, longer: number): number => Math.min(1, MAX_FRAME / longer)

async function encode(jpeg: Buffer, scaleOf: (shorter: number, longer: number) => number): Promise<Buffer> {
  const picture = await openPicture(jpeg)
  const { width, height } = picture
  const scale = scaleOf(Math.min(width, height), Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const pixels = await picture.cut({ left: 0, top: 0, width, height }, { ...size, format: 'rgb' })
  // A cut that is too narrow for its length gets grey bars.
  const bars = { right: Math.max(0, MIN_CUT - size.width), bottom: Math.max(0, MIN_CUT - size.height) }
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .extend({ ...bars, background: '#808080' })
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
