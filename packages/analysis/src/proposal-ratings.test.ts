import type { Detection } from '@vigia/ias/detection'
import { openStill } from '@vigia/video/testing/still'
import type { ModelRunner, Rating } from '@vigia/vision/model-runner'
import { readPatio } from '@vigia/vision/testing/still'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createProposalRatings } from './proposal-ratings.ts'
import { openModelRunner } from './testing/open-model-runner.ts'

/** The built-in models of `fogo` on a picture of a yard without fire. */
let runner: ModelRunner
let still: NonNullable<Awaited<ReturnType<typeof openStill>>>
let crops = 0
beforeAll(async () => {
  const real = await openModelRunner(['fogo'], null)
  runner = {
    ...real,
    rate(tarefa, pictures): Promise<Rating[]> {
      crops += pictures.length
      return real.rate(tarefa, pictures)
    },
  }
  const opened = await openStill(await readPatio())
  if (!opened) throw new Error('the picture is unreadable')
  still = opened
})
beforeEach(() => {
  crops = 0
})
afterAll(async () => {
  await still.release()
  await runner.close()
})

const proposal = (x: number, confianca = 0.4): Detection => ({ rotulo: 'fire', confianca, x, y: 0.4, w: 0.1, h: 0.2 })

it('lowers the confidence of a proposal on a yard without fire', async () => {
  const [found] = await createProposalRatings(runner, 'fogo')(still.frame, [proposal(0.4)], 0)
  expect(found).toMatchObject({ rotulo: 'fire', x: 0.4 })
  expect(found?.confianca).toBeLessThan(0.2)
})

it('rates an unchanged box again only after some seconds', async () => {
  const rate = createProposalRatings(runner, 'fogo')
  const [first] = await rate(still.frame, [proposal(0.4)], 0)
  const [second] = await rate(still.frame, [proposal(0.405)], 400)
  expect([crops, second?.confianca]).toEqual([1, first?.confianca])
  await rate(still.frame, [proposal(0.7)], 800)
  expect(crops).toBe(2)
  await rate(still.frame, [proposal(0.4)], 6_000)
  expect(crops).toBe(3)
})

it('rates three proposals per inference, and the others at the next one', async () => {
  const rate = createProposalRatings(runner, 'fogo')
  const all = [0, 0.2, 0.4, 0.6, 0.8].map((x) => proposal(x))
  expect(await rate(still.frame, all, 0)).toHaveLength(3)
  expect(crops).toBe(3)
  expect(await rate(still.frame, all, 400)).toHaveLength(5)
  expect(crops).toBe(5)
})

it('drops proposals that the detector doubts too much', async () => {
  expect(await createProposalRatings(runner, 'fogo')(still.frame, [proposal(0.4, 0.12)], 0)).toEqual([])
  expect(crops).toBe(0)
})

it('changes nothing for a model without a second stage', async () => {
  const model = runner.model('fogo')
  const own: ModelRunner = { ...runner, model: () => model && { ...model, second: null } }
  const found = [proposal(0.4, 0.12)]
  expect(await createProposalRatings(own, 'fogo')(still.frame, found, 0)).toEqual(found)
})
