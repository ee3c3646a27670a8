import type { RgbPicture } from '@vigia/analysis/plates/picture'
import { VigiaError } from '@vigia/contracts/errors'
import sharp from 'sharp'

/** Decodes a picture. @throws VigiaError `validacao` if it cannot be decoded */
export async function pixelsOf(bytes: Buffer): Promise<RgbPicture> {
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new VigiaError('validacao', { detalhe: 'Uma imagem de placas não pôde ser lida.', cause })
    })
  return { width: info.width, height: info.height, data }
}
