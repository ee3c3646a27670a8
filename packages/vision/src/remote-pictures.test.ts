import sharp from 'sharp'
import { expect, it } from 'vitest'
import { remotePictures } from './remote-pictures.ts'
import { encodeJpeg } from './testing/jpeg.ts'

const blank = (width: number, height: number) => encodeJpeg(Buffer.alloc(width * height * 3, 120), width, height)
const sizeOf = async (jpeg: Buffer) => {
  const { width, height, format } = await sharp(jpeg).metadata()
  return [format, width, height]
}

it.each([
  ['enlarges a small cut', [40, 60], [224, 336]],
  ['keeps a cut of a good size', [300, 400], [300, 400]],
  ['reduces a large cut', [2048, 1536], [1024, 768]],
  ['adds bars to a narrow cut', [10, 800], [224, 1024]],
])('%s', async (_name, [width = 0, height = 0], size) => {
  const { cut } = await remotePictures({ crop: await blank(width, height), frame: null })
  expect(await sizeOf(cut)).toEqual(['jpeg', ...size])
})

it('reduces the whole frame, and never enlarges it', async () => {
  const crop = await blank(224, 224)
  for (const [width, height, size] of [
    [1920, 1080, [1280, 720]],
    [352, 240, [352, 240]],
  ] as const) {
    const { frame } = await remotePictures({ crop, frame: await blank(width, height) })
    expect(frame && (await sizeOf(frame))).toEqual(['jpeg', ...size])
  }
})

it('sends no metadata of the picture', async () => {
  const marked = await sharp(await blank(300, 300))
    .withExif({ IFD0: { ImageDescription: 'Rua das Flores 12' } })
    .jpeg()
    .toBuffer()
  expect(marked.includes('Rua das Flores')).toBe(true)
  const { cut } = await remotePictures({ crop: marked, frame: null })
  expect(cut.includes('Rua das Flores')).toBe(false)
})

it('rejects a picture that is no JPEG', async () => {
  await expect(remotePictures({ crop: Buffer.from('GIF89a'), frame: null })).rejects.toMatchObject({
    code: 'validacao',
  })
})
