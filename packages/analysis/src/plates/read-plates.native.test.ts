import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawPlate } from '../testing/draw-plate.ts'
import type { RgbPicture } from './picture.ts'
import { readPlates } from './read-plates.ts'
import { textModelFiles } from './text-model-files.ts'
import { openTextNetworks, type TextNetworks } from './text-networks.ts'

let networks: TextNetworks
beforeAll(async () => {
  networks = await openTextNetworks(textModelFiles)
})
afterAll(() => networks.close())

async function pixels(image: Sharp): Promise<RgbPicture> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

it.each(['antiga', 'mercosul', 'moto', 'moto_mercosul'] as const)('reads a drawn plate (%s)', async (form) => {
  const { placa, jpeg } = await drawPlate(form, 7)
  const [found] = await readPlates(networks, await pixels(sharp(jpeg)), 640)
  expect(found).toMatchObject({ placa, syntax: { forma: form.includes('mercosul') ? 'mercosul' : 'antiga' } })
})

it('finds no plate where there is none', async () => {
  const grey = sharp({ create: { width: 320, height: 240, channels: 3, background: '#777' } })
  expect(await readPlates(networks, await pixels(grey), 320)).toEqual([])
})

it('yields the same reading of a picture without colours', async () => {
  const { placa, jpeg } = await drawPlate('mercosul', 11)
  const [found] = await readPlates(networks, await pixels(sharp(jpeg).greyscale().toColourspace('srgb')), 640)
  expect(found?.placa).toBe(placa)
})
