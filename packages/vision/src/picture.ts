import { VigiaError } from '@vigia/contracts/errors'
import sharp from 'sharp'
import type { Region } from './surroundings.ts'

/** Largest decoded picture: 8K UHD. A JPEG of a few kB can declare gigabytes of pixels. */
const MAX_PIXELS = 7680 * 4320

export interface Picture {
  readonly width: number
  readonly height: number
  /** The region stretched to `size`, packed RGB or BGR rows. */
  cut(region: Region, size: { width: number; height: number; format: 'rgb' | 'bgr' }): Promise<Uint8Array>
}

/**
 * Decodes a JPEG from the edge. Throws VigiaError `validacao` for other formats and for damaged pictures. Each further
 * decoder is an attack surface, and a damaged picture is no evidence for or against an alarm.
 */
export async function openPicture(jpeg: Buffer): Promise<Picture> {
  if (!(jpeg[0] === 0xff && jpeg[1] === 0xd8 && jpeg[2] === 0xff)) throw unreadable()
  const { data, info } = await sharp(jpeg, { limitInputPixels: MAX_PIXELS, failOn: 'warning' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw unreadable(cause)
    })
  const { width, height } = info
  return {
    width,
    height,
    async cut(region, size) {
      const pixels = await sharp(data, { raw: { width, height, channels: 3 } })
        .extract(region)
        .resize(size.width, size.height, { fit: 'fill' })
        .raw()
        .toBuffer()
      if (size.format === 'bgr') swapRedAndBlue(pixels)
      return pixels
    },
  }
}

function swapRedAndBlue(pixels: Uint8Array): void {
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const red = pixels[at] ?? 0
    pixels[at] = pixels[at + 2] ?? 0
    pixels[at + 2] = red
  }
}

const unreadable = (cause?: unknown) =>
  new VigiaError('validacao', { detalhe: 'A imagem do alerta não é um JPEG legível.', cause })
