import { execFileSync } from 'node:child_process'
import { repositoryRoot } from '@vigia/testing/program'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { isClean, isSeen, witnessLine } from '../chaos/verdict.ts'
import { checkOutFormer } from '../compat/former-checkout.ts'
import { runUpgrade } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** The last commit before the first migration that ran on PostgreSQL after its introduction. */
const FIRST = '34c48502'
/** Number of steps, for the progress. */
const STEPS = 4

/** Runs on one PostgreSQL behind nginx, so that the migrations run while the previous release serves. */
export async function carryOut({ with: commit }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const previous = commit ?? newestTag() ?? FIRST
  const former = await checkOutFormer(previous)
  try {
    const entries = {
      cloud: former.entry('apps/cloud/src/test/unverifying-cloud.ts'),
      edge: former.entry('apps/edge/src/testing/counting-edge.ts'),
    }
    print(`previous release: ${previous}`)
    const rows: { readonly step: string; readonly seconds: number }[] = []
    const { verdict, witnessed, requests, migrations } = await runUpgrade(entries, (step, seconds) => {
      rows.push({ step, seconds: Number(seconds.toFixed(1)) })
      progress(rows.length / STEPS, step)
    })
    const failed = requests.filter((result) => !/^2\d\d$/.test(result))
    print(`migrations beside the previous release: ${migrations.join(', ') || 'none'}`)
    print(`requests: ${requests.length}, failed: ${failed.length} ${[...new Set(failed)].join(', ')}`)
    print(witnessLine(witnessed))
    const { produced, stored, lost, duplicated, misordered, unrecordedGaps } = verdict
    print(
      `produced=${produced} stored=${stored} lost=${lost} duplicated=${duplicated} misordered=${misordered} ` +
        `unrecorded_gaps=${unrecordedGaps}`,
    )
    return {
      passed: isClean(verdict) && isSeen(witnessed) && failed.length === 0 && requests.length > 0,
      rows,
    }
  } finally {
    await former.remove()
  }
}

function newestTag(): string | null {
  const [tag] = execFileSync('git', ['tag', '--merged', 'HEAD^', '--sort=-creatordate'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  }).split('\n')
  return tag || null
}
