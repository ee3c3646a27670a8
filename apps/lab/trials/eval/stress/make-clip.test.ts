import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { createStreamReader } from '@vigia/video/stream-reader'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeClip } from './make-clip.ts'
import { blur, type Pixels } from './pixels.ts'
import type { Stress } from './stress.ts'
import { createTransform, type TransformName, transformNames } from './transforms.ts'

/** Footage of the recorder simulator. */
const footage = fileURLToPath(new URL('../../../../dvr-simulator/footage/campus-b-sub.mp4', import.meta.url))
const size = { width: 64, height: 48 }

/** A picture with colours, shades and edges. */
const drawn = (): Pixels => {
  const rgb = Buffer.alloc(size.width * size.height * 3)
  for (let index = 0; index < rgb.length; index++) {
    const x = Math.floor(index / 3) % size.width
    rgb[index] = (x > 32 ? 180 : 60) + (index % 3) * 20 + (x % 4) * 5
  }
  return { rgb, ...size }
}
const mean = (rgb: Buffer) => rgb.reduce((sum, value) => sum + value, 0) / rgb.length
const deviation = (rgb: Buffer, from: Buffer) =>
  Math.sqrt(rgb.reduce((sum, value, index) => sum + (value - (from[index] ?? 0)) ** 2, 0) / rgb.length)

describe('transforms', () => {
  const apply = (name: TransformName, seed: number, atS: number) => createTransform(name, seed, size, 10)(drawn(), atS)

  it.each(transformNames)('%s gives the same picture for the same seed', (name) => {
    expect(apply(name, 5, 8).equals(apply(name, 5, 8))).toBe(true)
  })

  it('has its stated strength', () => {
    const before = drawn().rgb
    expect(deviation(apply('ruido', 5, 1), before)).toBeCloseTo(20, -0.5)
    expect(apply('ruido', 6, 1).equals(apply('ruido', 5, 1))).toBe(false)
    expect(mean(apply('escuridao', 5, 1))).toBeLessThan(mean(before) * 0.3)
    expect(apply('dia_noite', 5, 4.9).equals(before)).toBe(true)
    expect(mean(apply('dia_noite', 5, 5.1))).toBeLessThan(mean(before) * 0.5)
    expect(deviation(apply('chuva', 5, 1), before)).toBeGreaterThan(5)
    expect(apply('recodificado', 5, 1).equals(before)).toBe(true)
    const moved = Array.from({ length: 20 }, (_, seed) => apply('tremor', seed + 1, 1))
    expect(moved.some((one) => !one.equals(before))).toBe(true)
  })

  it('blurs edges and keeps the brightness', () => {
    const [picture, before] = [drawn(), drawn().rgb]
    blur(picture, 3)
    expect(mean(picture.rgb)).toBeCloseTo(mean(before), -0.5)
    const step = (rgb: Buffer) => Math.abs((rgb[33 * 3] ?? 0) - (rgb[32 * 3] ?? 0))
    expect(step(picture.rgb)).toBeLessThan(step(before) / 3)
  })
})

describe('makeClip', () => {
  let folder: string
  beforeEach(async () => {
    folder = temporaryFolder('vigia-clip-')
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Mean brightness and time of each picture. */
  async function lightOf(path: string) {
    const seen: { atS: number; light: number }[] = []
    const onFrame = async (
      frame: Parameters<Parameters<ReturnType<typeof createStreamReader>['run']>[0]['onFrame']>[0],
    ) => {
      seen.push({ atS: frame.timestampMs / 1000, light: mean(await frame.toPacked('gray', 32, 24)) })
    }
    const end = await createStreamReader({ url: path, maxFps: 5 }).run(
      { onInfo: () => {}, onFrame },
      new AbortController().signal,
    )
    expect(end).toBe('end')
    return seen
  }
  const make = (stress: Stress) => makeClip(footage, stress, folder)

  it('writes the whole transformed video with its times', async () => {
    const before = await lightOf(footage)
    const { path } = await make({ kind: 'transform', name: 'escuridao' })
    const after = await lightOf(path)
    expect(after.at(-1)?.atS).toBeCloseTo(before.at(-1)?.atS ?? 0, 0)
    expect(after[3]?.light).toBeLessThan((before[3]?.light ?? 0) * 0.4)
  })

  it('obstructs the camera from the given moment on', async () => {
    const light = async (problema: 'preta' | 'ofuscada') => {
      const { path } = await make({ kind: 'obstruction', problema, fromS: 2, untilS: 4 })
      return lightOf(path)
    }
    const [black, blinded] = [await light('preta'), await light('ofuscada')]
    expect(black.at(-1)?.atS).toBeCloseTo(4, 0)
    expect(black.filter(({ atS }) => atS < 2).every((one) => one.light > 60)).toBe(true)
    expect(black.filter(({ atS }) => atS >= 2).every((one) => one.light < 15)).toBe(true)
    expect(blinded.filter(({ atS }) => atS >= 2).every((one) => one.light > 200)).toBe(true)
  })

  it('reports an unreadable video', async () => {
    await expect(makeClip(join(folder, 'none.mp4'), { kind: 'transform', name: 'ruido' }, folder)).rejects.toThrow(
      /none\.mp4/,
    )
  })
})
