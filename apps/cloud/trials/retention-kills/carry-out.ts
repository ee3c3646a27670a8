import type { Result, TrialOutput } from '@vigia/testing/trial'
import { runKills } from './run.ts'

const POINTS = 50

export async function carryOut({ print, progress }: TrialOutput): Promise<Result> {
  let kills = 0
  const { steps, killed, problems } = await runKills(POINTS, (at) => {
    progress(kills / POINTS, `kill ${kills + 1} of ${POINTS}, at step ${at}`)
    kills += 1
  })
  for (const problem of problems) print(problem)
  print(`${killed.length} kills among ${steps} steps, ${problems.length} problems`)
  return { passed: problems.length === 0 }
}
