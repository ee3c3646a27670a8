import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { RgbPicture } from './picture.ts'
import { qualityOf } from './plate-quality.ts'

const [WIDTH, HEIGHT] = [160, 60]
/** Vertical strokes of 5 pixels, as those of letters. */
const strokes = Buffer.from(
  Array.from({ length: WIDTH * HEIGHT }, (_, at) => (Math.floor((at % WIDTH) / 5) % 2 === 0 ? 230 : 30)).flatMap(
    (level) => [level, level, level],
  ),
)
const box = { centre: { x: WIDTH / 2, y: HEIGHT / 2 }, width: 140, height: 30, angle: 0 }

async function picture(sigma: number): Promise<RgbPicture> {
  const raw = sharp(strokes, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
  return { width: WIDTH, height: HEIGHT, data: await (sigma > 0 ? raw.blur(sigma) : raw).raw().toBuffer() }
}

it('measures width and angle in the frame, whatever the scale of the picture', async () => {
  const sharpOne = await picture(0)
  expect(qualityOf(sharpOne, { ...box, angle: -0.35 }, 1)).toMatchObject({ largura_px: 140, angulo_graus: -20 })
  expect(qualityOf(sharpOne, box, 0.5)).toMatchObject({ largura_px: 280 })
})

it('measures wider edges in a blurred picture', async () => {
  const widths = []
  for (const sigma of [0, 1, 2]) widths.push(qualityOf(await picture(sigma), box, 1).borrao_px ?? 0)
  const [clear = 0, soft = 0, blurred = 0] = widths
  expect(clear).toBeLessThan(1.5)
  expect(soft).toBeGreaterThan(1.5 * clear)
  expect(blurred).toBeGreaterThan(1.3 * soft)
})

it('measures no edges without contrast', () => {
  const flat = { width: WIDTH, height: HEIGHT, data: Buffer.alloc(WIDTH * HEIGHT * 3, 128) }
  expect(qualityOf(flat, box, 1).borrao_px).toBeNull()
})
