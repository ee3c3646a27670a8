import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { repositoryRoot } from '@vigia/testing/program'
import { machineName } from './machine.ts'

/** The origin of a figure. */
export interface Provenance {
  /** Short hash; with `+` after it for a tree with changes. */
  readonly commit: string
  /** ISO 8601, a day. */
  readonly date: string
  /** Average number of running processes in the minute before the trial. */
  readonly load: number
  readonly machine: string
}

/** The line above a table of figures in a page (trials/figures). A tree with changes has the figures of its commit. */
export const figuresMark = (trial: string, { commit, date }: Pick<Provenance, 'commit' | 'date'>): string =>
  `<!-- figures: ${trial}, commit ${commit.replace('+', '')}, ${date} -->`

export function readProvenance(): Provenance {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  return {
    commit: `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? '+' : ''}`,
    date: new Date().toISOString().slice(0, 10),
    load: Number(loadavg()[0]?.toFixed(2)),
    machine: machineName(),
  }
}
