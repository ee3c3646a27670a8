import { AV_PIX_FMT_YUV420P } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { openH264Encoder } from '../encode/h264-encoder.ts'
import { makeClip } from '../mp4/clip.ts'
import { startCodeFormat } from '../nal-units.ts'

export interface RgbPicture {
  readonly width: number
  readonly height: number
  /** Packed rows. */
  readonly rgb: Uint8Array
}

/** An MP4 file in H.264 with these pictures, all of one even size, `fps` a second. */
export async function encodeVideo(pictures: AsyncIterable<RgbPicture>, fps: number): Promise<Buffer> {
  let encoder: Awaited<ReturnType<typeof openH264Encoder>> = null
  const packets: { keyframe: boolean; timeMs: number; data: Buffer }[] = []
  let count = 0
  for await (const picture of pictures) {
    const { width, height } = picture
    encoder ??= await openH264Encoder({ width, height })
    if (!encoder) throw new Error('this FFmpeg has no encoder for H.264')
    const frame = Frame.fromVideoBuffer(planesOf(picture), { width, height, format: AV_PIX_FMT_YUV420P })
    packets.push(...(await encoder.encode(frame, (1_000 * count++) / fps)))
    frame.free()
  }
  if (!encoder) throw new Error('no pictures')
  packets.push(...(await encoder.flush()))
  const parameters = { codec: 'h264', parameterSets: encoder.parameterSets, split: startCodeFormat.split } as const
  encoder.close()
  const clip = makeClip([{ parameters, discontinuity: true, packets, audio: [] }], { atMs: 0, toMs: 3_600_000 })
  if (!clip) throw new Error('no clip')
  return clip.data
}

/** BT.601 in studio range, 4:2:0. */
function planesOf({ width, height, rgb }: RgbPicture): Buffer {
  const size = width * height
  const planes = Buffer.alloc((size * 3) / 2)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x)
      const [r, g, b] = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0]
      planes[y * width + x] = 16 + 0.257 * r + 0.504 * g + 0.098 * b
      if (y % 2 === 1 || x % 2 === 1) continue
      const chroma = size + ((y >> 1) * width) / 2 + (x >> 1)
      planes[chroma] = 128 - 0.148 * r - 0.291 * g + 0.439 * b
      planes[chroma + size / 4] = 128 + 0.439 * r - 0.368 * g - 0.071 * b
    }
  return planes
}
