import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawCrops, drawPictures } from './draw.ts'

/** A blue picture with a red square in its right lower quarter. */
async function redSquare(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sheets-')), 'a.png')
  const red = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  await sharp({ create: { width: 80, height: 80, channels: 3, background: '#00f' } })
    .composite([{ input: red, left: 60, top: 60 }])
    .png()
    .toFile(file)
  return file
}

const shape = { columns: 2, rows: 1, cellPx: 100 }

async function pixel(sheet: Buffer, x: number, y: number): Promise<number[]> {
  return [...(await sharp(sheet).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw().toBuffer())]
}

test('a crop shows its box in the middle of the cell, enlarged, also at the border of the picture', async () => {
  const mark = { file: await redSquare(), x: 0.75, y: 0.75, w: 0.25, h: 0.25, caption: '<7>' }
  const sheet = await drawCrops([mark, mark], shape, 2)
  expect(await sharp(sheet).metadata()).toMatchObject({ width: 200, height: 116 })
  for (const left of [0, 100]) {
    expect(await pixel(sheet, left + 50, 66)).toEqual([255, 0, 0])
    expect(await pixel(sheet, left + 10, 30)).toEqual([0, 0, 255])
    expect(await pixel(sheet, left + 92, 108)).toEqual([0x77, 0x77, 0x77])
  }
})

test('a whole picture shows the outline of each box', async () => {
  const file = await redSquare()
  const marks = [{ file, x: 0.25, y: 0.25, w: 0.5, h: 0.5, caption: '0' }]
  const sheet = await drawPictures([{ file, title: 'a', marks }], shape)
  const [red] = await pixel(sheet, 24, 64)
  expect(red).toBeGreaterThan(100)
  expect(await pixel(sheet, 12, 26)).toEqual([0, 0, 255])
})
