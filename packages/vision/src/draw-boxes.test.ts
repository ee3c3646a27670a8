import sharp from 'sharp'
import { expect, it } from 'vitest'
import { BOXES, drawBoxes } from './draw-boxes.ts'
import { encodeJpeg } from './testing/jpeg.ts'

const grey = (width: number, height: number) => encodeJpeg(Buffer.alloc(width * height * 3, 120), width, height)
const BOX = { x: 0.25, y: 0.25, w: 0.5, h: 0.5 }

/** Whether the pixel is of the outline, and not of the grey picture. */
async function reader(jpeg: Buffer) {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const isDrawn = (x: number, y: number) => {
    const at = (y * info.width + x) * 3
    return Math.abs((data[at] ?? 0) - (data[at + 1] ?? 0)) > 50
  }
  return { size: [info.width, info.height], isDrawn }
}

it('draws the outline of a box around it, and nothing inside it', async () => {
  const { size, isDrawn } = await reader(await drawBoxes(await grey(640, 360), [BOX]))
  expect(size).toEqual([640, 360])
  // The line is 2 px wide, around a box from (160, 90) to (480, 270).
  expect([158, 481].map((x) => isDrawn(x, 180))).toEqual([true, true])
  expect([88, 271].map((y) => isDrawn(320, y))).toEqual([true, true])
  expect([isDrawn(320, 180), isDrawn(172, 180), isDrawn(20, 20)]).toEqual([false, false, false])
})

it('reduces a large picture, and keeps the box at its place', async () => {
  const { size, isDrawn } = await reader(await drawBoxes(await grey(3840, 2160), [BOX]))
  expect(size).toEqual([1920, 1080])
  expect(isDrawn(477, 540)).toBe(true)
})

it('draws a limited number of boxes', async () => {
  const boxes = Array.from({ length: BOXES }, () => ({ x: 0.1, y: 0.1, w: 0.1, h: 0.1 }))
  const { isDrawn } = await reader(await drawBoxes(await grey(640, 360), [...boxes, BOX]))
  expect([isDrawn(158, 180), isDrawn(62, 50)]).toEqual([false, true])
})

it('refuses what is no JPEG', async () => {
  await expect(drawBoxes(Buffer.from('GIF89a'), [BOX])).rejects.toMatchObject({ code: 'validacao' })
})
