import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patio } from '@vigia/vision/testing/still'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEvalModels } from './eval-models.ts'

const models = createEvalModels(null)
beforeAll(() => models.ready())
afterAll(() => models.close())

it('detects people in a still picture and raises no event', async () => {
  const shown = await models.show(patio.path, ['invasao', 'fogo', 'epi'])
  expect(shown).toMatchObject({ asked: ['fogo', 'epi'], raised: [] })
  expect(Object.keys(shown?.found ?? {})).toEqual(['objetos', 'epi', 'fogo'])
  expect(shown?.found.objetos?.[0]).toMatchObject({ rotulo: 'person', confianca: expect.closeTo(0.8, 0) })
})

it('runs no model that the IAs do not need', async () => {
  const shown = await models.show(patio.path, ['fogo'])
  expect(Object.keys(shown?.found ?? {})).toEqual(['fogo'])
  expect(shown?.asked).toEqual(['fogo'])
})

it('reports a file that is no picture', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-eval-'))
  await writeFile(join(folder, 'broken.jpg'), 'no picture')
  expect(await models.show(join(folder, 'broken.jpg'), ['fogo'])).toBeNull()
  await rm(folder, { recursive: true })
})
