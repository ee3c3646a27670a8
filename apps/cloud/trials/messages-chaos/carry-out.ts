import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { runMessageChaos } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

export async function carryOut({ rounds }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { problems, ...counts } = await runMessageChaos({
    rounds,
    onRound: (round, point) => progress(round / rounds, `round ${round} of ${rounds}, killed at ${point}`),
  })
  for (const problem of problems) print(problem)
  return { passed: problems.length === 0, rows: [{ ...counts, problems: problems.length }] }
}
