import sharp from 'sharp'

/** Encodes packed RGB rows as a JPEG; default quality as on the edge. */
export const encodeJpeg = (rgb: Uint8Array, width: number, height: number, quality = 85): Promise<Buffer> =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer()
