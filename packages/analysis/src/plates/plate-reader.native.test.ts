import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawPlate } from '../testing/draw-plate.ts'
import { createPlateReader } from './plate-reader.ts'

it('reads in the order of the calls, without blocking the thread of the caller', async () => {
  const read = createPlateReader((error) => {
    throw error
  })
  const { placa, jpeg } = await drawPlate('mercosul', 10_001)
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const picture = { width: info.width, height: info.height, data }
  await read(picture, 640)
  let turns = 0
  const counter = setInterval(() => turns++, 1)
  const order: number[] = []
  const readings = [640, 320].map(async (side, at) => {
    const found = await read(picture, side)
    order.push(at)
    return found
  })
  const [first] = await Promise.all(readings)
  clearInterval(counter)
  expect(first?.[0]?.placa).toBe(placa)
  expect(order).toEqual([0, 1])
  expect(turns).toBeGreaterThan(10)
})

it('finds no plate after a failure, and reports it', async () => {
  const failures: unknown[] = []
  const read = createPlateReader((error) => failures.push(error))
  const broken = { width: 64, height: 64, data: null as unknown as Uint8Array }
  expect(await read(broken, 64)).toEqual([])
  expect(failures).toHaveLength(1)
  expect(await read(broken, 64)).toEqual([])
  expect(failures).toHaveLength(1)
})
