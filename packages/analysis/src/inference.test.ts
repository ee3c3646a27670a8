import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Box } from '@vigia/ias/geometry'
import type { HeldFrame } from '@vigia/video/stream-reader'
import { openStill } from '@vigia/video/testing/still'
import type { ModelRunner } from '@vigia/vision/model-runner'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fitPicture } from './fitted-picture.ts'
import { runInference } from './inference.ts'
import { openModelRunner } from './testing/open-model-runner.ts'

const patio = fileURLToPath(new URL('../../vision/fixtures/patio.jpg', import.meta.url))
let runner: ModelRunner
let held: HeldFrame
beforeAll(async () => {
  runner = await openModelRunner(['objetos'])
  const opened = await openStill(await readFile(patio))
  if (!opened) throw new Error('not readable')
  held = opened
})
afterAll(async () => {
  await held.release()
  await runner.close()
})

const people = { minConfidence: 0.45, labels: ['person'] }

it('finds the same people at the same positions on the whole frame and on an enlarged region', async () => {
  const whole = await runInference(runner, 'objetos', held.frame, [null], people)
  expect(whole.length).toBeGreaterThan(0)
  for (const seen of whole) {
    const region: Box = { x: Math.max(0, seen.x - 0.2), y: Math.max(0, seen.y - 0.2), w: 0, h: 0 }
    const around = { ...region, w: Math.min(1 - region.x, seen.w + 0.4), h: Math.min(1 - region.y, seen.h + 0.4) }
    const closely = await runInference(runner, 'objetos', held.frame, [around], people)
    const nearest = closely.map((one) => Math.abs(one.x - seen.x) + Math.abs(one.y + one.h - seen.y - seen.h))
    expect(Math.min(...nearest)).toBeLessThan(0.08)
    const both = await runInference(runner, 'objetos', held.frame, [null, around], people)
    expect(both.length).toBeLessThan(whole.length + closely.length)
  }
})

it('rejects without a usable model', async () => {
  await expect(runInference(runner, 'fogo', held.frame, [null], people)).rejects.toThrow('no usable model')
})

it('pads a tall region with grey, and returns its boxes in fractions of the frame', async () => {
  const region = { x: 0.5, y: 0.25, w: 0.1, h: 0.75 }
  const input = { width: 416, height: 312, format: 'bgr' } as const
  const picture = await fitPicture(held.frame, region, input)
  expect(picture.packed.length).toBe(416 * 312 * 3)
  expect([...picture.packed.subarray(0, 3)]).toEqual([114, 114, 114])
  const all = picture.toFrame({ rotulo: 'person', confianca: 1, x: 0, y: 0, w: 1, h: 1 })
  for (const side of ['x', 'y', 'w', 'h'] as const) expect(all?.[side]).toBeCloseTo(region[side], 6)
  expect(picture.toFrame({ rotulo: 'person', confianca: 1, x: 0, y: 0.2, w: 0.1, h: 0.5 })).toBeNull()
})
