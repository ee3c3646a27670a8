import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

const inItsThread = `
  const { createDetector } = await import(${here('./detector.ts')})
  const { defaultDetectorId, modelManifest } = await import(${here('./registry.ts')})
  const detector = await createDetector(modelManifest(defaultDetectorId))
  await detector.close()
  console.log('loaded')
`
const inAWorker = `
  const { createModelRunner } = await import(${here('./model-runner.ts')})
  const { promise: settled, resolve } = Promise.withResolvers()
  const runner = createModelRunner({ folder: null, onChange: resolve, onBroken(error) { throw error } })
  runner.need(new Set(['objetos']))
  await settled
  if (runner.model('objetos')) console.log('loaded')
  await runner.close()
`

it.each([
  ['in its thread', inItsThread],
  ['in a worker', inAWorker],
])('loading a model %s leaves no device id and no event store in the home directory', (_, program) => {
  const folder = mkdtempSync(join(tmpdir(), 'vigia-home-'))
  const [home, path] = [join(folder, 'home'), join(folder, 'program.mjs')]
  mkdirSync(home)
  writeFileSync(path, program)
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const run = spawnSync(process.execPath, [path], { env, encoding: 'utf8' })
  expect(run).toMatchObject({ stdout: expect.stringContaining('loaded'), status: 0 })
  expect(readdirSync(home)).toEqual([])
  rmSync(folder, { recursive: true })
})
