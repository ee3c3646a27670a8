import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { findTrials } from '../../src/find-trials.ts'
import { readFigures } from './read-figures.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()

/** Compares each marked table with the commits that change its `measures` between its own and the given one. */
export async function carryOut({ 'older-than': ref }: Options, { print }: TrialOutput): Promise<Result> {
  const until = resolve(ref)
  const measures = new Map((await findTrials()).map(({ name, measures }) => [name, measures]))
  const figures = globSync('docs/*.md', { cwd: repositoryRoot })
    .sort()
    .flatMap((page) => readFigures(page, readFileSync(join(repositoryRoot, page), 'utf8')))
  const old = figures.flatMap(({ page, line, trial, commit, date }) => {
    const paths = measures.get(trial)
    if (paths === undefined) throw new Error(`${page}:${line}: there is no trial ${trial}`)
    const later = git('log', '--format=%h', `${commit}..${until}`, '--', ...paths)
    if (later === '') return []
    const changes = later.split('\n')
    return [{ table: `${page}:${line}`, trial, commit, date, changes: changes.length, 'last change': changes[0] ?? '' }]
  })
  print(`${figures.length} tables of figures, ${old.length} older than a change of their files up to ${ref}`)
  return { passed: old.length === 0, rows: old }
}

function resolve(ref: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
  } catch (cause) {
    throw new WrongCall(`--older-than: there is no commit ${ref}`, { cause })
  }
}
