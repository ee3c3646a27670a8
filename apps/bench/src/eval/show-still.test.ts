import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patio } from '@vigia/vision/testing/still'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEyes } from './eyes.ts'

const eyes = createEyes(null)
beforeAll(() => eyes.ready())
afterAll(() => eyes.close())

it('shows a picture to the pipeline: people are detected, and what does not move raises nothing', async () => {
  const shown = await eyes.show(patio.path, ['invasao', 'fogo', 'epi'])
  expect(shown).toMatchObject({ asked: ['fogo', 'epi'], raised: [] })
  expect(Object.keys(shown?.found ?? {})).toEqual(['objetos', 'epi', 'fogo'])
  expect(shown?.found.objetos?.[0]).toMatchObject({ rotulo: 'person', confianca: expect.closeTo(0.8, 0) })
})

it('asks no model that the IAs do not use', async () => {
  const shown = await eyes.show(patio.path, ['fogo'])
  expect(Object.keys(shown?.found ?? {})).toEqual(['fogo'])
  expect(shown?.asked).toEqual(['fogo'])
})

it('says of a file that is no picture that it is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-eval-'))
  await writeFile(join(folder, 'broken.jpg'), 'no picture')
  expect(await eyes.show(join(folder, 'broken.jpg'), ['fogo'])).toBeNull()
  await rm(folder, { recursive: true })
})
