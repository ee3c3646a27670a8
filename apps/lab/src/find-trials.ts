import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '@vigia/testing/program'
import type { Trial } from '@vigia/testing/trial'

/** Every trial of every app, by name. */
export async function findTrials(): Promise<Trial[]> {
  const files = globSync('apps/*/trials/*/trial.ts', { cwd: repositoryRoot })
  const trials = await Promise.all(
    files.map(async (file) => {
      const { default: trial } = (await import(pathToFileURL(join(repositoryRoot, file)).href)) as { default: Trial }
      return trial
    }),
  )
  return trials.sort((a, b) => a.name.localeCompare(b.name))
}
