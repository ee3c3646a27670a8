import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Caixa } from '@vigia/contracts/eventos'
import { around } from '@vigia/ias/geometry'
import type { HeldFrame } from '@vigia/video/stream-reader'
import { openStill } from '@vigia/video/testing/still'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFramePictures, laplacianDeviation } from './frame-pictures.ts'
import { createSnapshots } from './snapshots.ts'

const patio = fileURLToPath(new URL('../../vision/fixtures/patio.jpg', import.meta.url))
const open: HeldFrame[] = []

async function still(jpeg: Buffer): Promise<HeldFrame['frame']> {
  const held = await openStill(jpeg)
  if (!held) throw new Error('not readable')
  open.push(held)
  return held.frame
}

let sharp: HeldFrame['frame']
/** The same picture, reduced to a tenth of its width. */
let smeared: HeldFrame['frame']
beforeEach(async () => {
  sharp = await still(await readFile(patio))
  smeared = await still(await sharp.toJpeg({ maxWidth: Math.round(sharp.width / 10) }))
})
afterEach(async () => {
  for (const { release } of open.splice(0)) await release()
})

const person = (rest: Partial<Caixa> = {}): Caixa => ({
  rotulo: 'person',
  confianca: 0.6,
  x: 0.4,
  y: 0.4,
  w: 0.2,
  h: 0.4,
  ...rest,
})

describe('sharpness', () => {
  it('increases with fine detail and is zero on a plain wall', async () => {
    const box = person()
    const [fine, coarse] = await Promise.all(
      [sharp, smeared].map((frame) => createFramePictures(frame, 0).sharpness(box)),
    )
    expect(fine).toBeGreaterThan((coarse ?? 1) * 1.5)
    expect(laplacianDeviation(new Uint8Array(64 * 64).fill(130), 64, 64)).toBe(0)
    const checks = Uint8Array.from({ length: 64 * 64 }, (_, i) => (((i % 64) + Math.floor(i / 64)) % 2) * 255)
    expect(laplacianDeviation(checks, 64, 64)).toBeGreaterThan(500)
  })
})

describe('createSnapshots', () => {
  const keptAfter = async (...frames: readonly [frame: typeof sharp, box: Caixa, atMs: number][]) => {
    const snapshots = createSnapshots()
    for (const [frame, box, atMs] of frames) await snapshots.consider(7, [box], createFramePictures(frame, atMs))
    return snapshots.best(7)
  }

  it('prefers larger, more confident, sharper and uncut pictures', async () => {
    const [large, sure] = [person({ w: 0.25, h: 0.5, x: 0.3 }), person({ confianca: 0.9 })]
    expect((await keptAfter([sharp, person(), 0], [sharp, large, 200]))?.caixas).toEqual([large])
    expect((await keptAfter([sharp, large, 0], [sharp, person(), 200]))?.caixas).toEqual([large])
    expect((await keptAfter([sharp, person(), 0], [sharp, sure, 200]))?.caixas).toEqual([sure])
    expect((await keptAfter([smeared, person(), 0], [sharp, person(), 200]))?.width).toBe(sharp.width)
    expect((await keptAfter([sharp, person(), 0], [smeared, person(), 200]))?.width).toBe(sharp.width)
    const cut = person({ x: 0, w: 0.25, h: 0.5 })
    expect((await keptAfter([sharp, person(), 0], [sharp, cut, 200]))?.caixas).toEqual([person()])
  })

  it('encodes no picture that is only slightly better', async () => {
    let encoded = 0
    const counting = {
      ...sharp,
      toJpeg(...args: Parameters<typeof sharp.toJpeg>) {
        encoded++
        return sharp.toJpeg(...args)
      },
    }
    const snapshots = createSnapshots()
    for (let i = 0; i < 40; i++) {
      const box = person({ confianca: 0.5 + i * 0.01 })
      await snapshots.consider(7, [box], createFramePictures(counting, i * 200))
    }
    // Confidence grows from 0.5 to 0.9, and worth halves in ten seconds. About four pictures are clearly better, each
    // with two JPEGs.
    expect(encoded).toBeLessThanOrEqual(10)
    expect(encoded).toBeGreaterThanOrEqual(4)
  })

  it('replaces an old picture by a worse recent one', async () => {
    const poor = person({ w: 0.1, h: 0.3 })
    expect((await keptAfter([sharp, person(), 0], [sharp, poor, 5_000]))?.caixas).toEqual([person()])
    expect((await keptAfter([sharp, person(), 0], [sharp, poor, 25_000]))?.caixas).toEqual([poor])
  })

  it('keeps a bounded number of objects, drops the worst, and forgets ended tracks', async () => {
    const snapshots = createSnapshots()
    const pictures = createFramePictures(sharp, 0)
    for (let id = 1; id <= 30; id++)
      await snapshots.consider(id, [person({ confianca: id === 5 ? 0.1 : 0.9 })], pictures)
    const kept = Array.from({ length: 30 }, (_, i) => i + 1).filter((id) => snapshots.best(id))
    expect(kept.length).toBe(24)
    expect(kept).not.toContain(5)
    snapshots.keepOnly(new Set([kept[0] ?? 0]))
    expect(kept.filter((id) => snapshots.best(id))).toEqual([kept[0]])
  })
})

it('uses the smallest box around several', () => {
  const box = around([person(), person({ x: 0.1, y: 0.7, w: 0.1, h: 0.2 })])
  expect([box.x, box.y]).toEqual([0.1, 0.4])
  expect([box.x + box.w, box.y + box.h].map((value) => value.toFixed(3))).toEqual(['0.600', '0.900'])
})
