import { PEOPLE_PX } from '@vigia/ias/crop-part'
import type { HeldFrame } from '@vigia/video/stream-reader'
import { openStill } from '@vigia/video/testing/still'
import { readPatio } from '@vigia/vision/testing/still'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cuts, createCuts } from './cuts.ts'
import { createFramePictures } from './frame-pictures.ts'

let held: HeldFrame
beforeAll(async () => {
  const opened = await openStill(await readPatio())
  if (!opened) throw new Error('not readable')
  held = opened
})
afterAll(() => held.release())

const person = { rotulo: 'person', confianca: 0.6, x: 0.4, y: 0.4, w: 0.05, h: 0.2 }
const time = (streamMs: number) => ({ streamMs, epochMs: 1_000_000 + streamMs })
const seen = (cuts: Cuts, atMs: number) => cuts.keep(7, [person], createFramePictures(held.frame, atMs), time(atMs))
const alive = new Set([7])

it('gives a cut before and one after the picture of the candidate, with the box in each', async () => {
  const cuts = createCuts()
  for (let atMs = 0; atMs <= 1_000; atMs += 200) await seen(cuts, atMs)
  cuts.begin('e', 7, 1_000, time(1_000))
  expect(cuts.complete(alive, 1_000)).toEqual([])
  for (let atMs = 1_200; atMs <= 1_400; atMs += 200) if (cuts.wants(7, atMs)) await seen(cuts, atMs)
  const [found] = cuts.complete(alive, 1_400)
  expect(found?.pictures.map(({ dt_ms }) => dt_ms)).toEqual([-600, 400])
  for (const { jpeg, caixas } of found?.pictures ?? []) {
    const cut = await openStill(Buffer.from(jpeg))
    const { width = 0, height = 0 } = cut?.frame ?? {}
    await cut?.release()
    expect(Math.max(width, height)).toBeLessThanOrEqual(300)
    expect(jpeg.byteLength).toBeLessThan(20_000)
    // A square of three times the longer side shows the box in its middle third.
    expect(caixas[0]?.h).toBeCloseTo(1 / 3, 1)
    expect((caixas[0]?.y ?? 0) + (caixas[0]?.h ?? 0) / 2).toBeCloseTo(0.5, 1)
  }
})

it('gives a second earlier cut when the track ends, and nothing without any', async () => {
  const cuts = createCuts()
  for (let atMs = 0; atMs <= 1_200; atMs += 200) await seen(cuts, atMs)
  cuts.begin('e', 7, 1_200, time(1_200))
  cuts.begin('other', 8, 1_200, time(1_200))
  const found = cuts.complete(new Set(), 1_400)
  expect(found.map(({ ref, pictures }) => [ref, pictures.map(({ dt_ms }) => dt_ms)])).toEqual([['e', [-800, -400]]])
})

it('waits three seconds at most for a later cut', async () => {
  const cuts = createCuts()
  await seen(cuts, 0)
  cuts.begin('e', 7, 600, time(600))
  expect(cuts.complete(alive, 3_500)).toEqual([])
  expect(cuts.complete(alive, 3_600)[0]?.pictures.map(({ dt_ms }) => dt_ms)).toEqual([-600])
})

it('widens the picture for people to a recognisable height, within the frame', async () => {
  const { width, height } = held.frame
  const small = { x: 0.96, y: 0.95, w: 0.02, h: 0.04 }
  const opened = await openStill(await createFramePictures(held.frame, 0).crop(small))
  const crop = { width: opened?.frame.width ?? 0, height: opened?.frame.height ?? 0 }
  await opened?.release()
  expect(crop.height).toBeGreaterThanOrEqual(Math.min(PEOPLE_PX, height))
  expect(crop.height).toBeLessThanOrEqual(PEOPLE_PX + 2)
  expect(crop.width / crop.height).toBeCloseTo((0.02 * width) / (0.04 * height), 1)
})
