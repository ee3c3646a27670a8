import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const program = `
  const { createDetector } = await import('@vigia/vision/detector')
  const { defaultDetectorId, modelManifest } = await import('@vigia/vision/registry')
  const detector = await createDetector(modelManifest(defaultDetectorId))
  await detector.close()
  console.log('loaded')
`

it('a model is loaded without a device id or an event store in the home directory', () => {
  const home = mkdtempSync(join(tmpdir(), 'vigia-home-'))
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { env, encoding: 'utf8' })
  expect(run.stdout).toContain('loaded')
  expect(readdirSync(home)).toEqual([])
  rmSync(home, { recursive: true })
})
