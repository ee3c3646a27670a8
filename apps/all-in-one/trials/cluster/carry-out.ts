import { OPERATOR } from '@vigia/testing/installation'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import type trial from './trial.ts'
import { requirePackages, type Step, tryCluster } from './try-cluster.ts'

type Options = z.output<typeof trial.options>

/** Number of steps, for the progress. */
const STEPS = 11

/** Tries the set-up, and shows with `manter` its address until Ctrl-C. */
export async function carryOut({ manter }: Options, { print, progress }: TrialOutput): Promise<Result> {
  requirePackages()
  const done: Step[] = []
  const onStep = (step: Step) => {
    done.push(step)
    progress(done.length / STEPS, step.name)
  }
  try {
    await tryCluster(onStep, async ({ base }) => {
      if (!manter) return
      print(`${base}  operator ${OPERATOR.username}, password ${OPERATOR.password}. Ctrl-C ends it.`)
      await new Promise((resolve) => process.once('SIGINT', resolve))
    })
  } catch (error) {
    print(`Failed after the step "${done.at(-1)?.name ?? 'none'}".`)
    throw error
  }
  const rows = done.map(({ name, ms, result }) => ({ step: name, seconds: Number((ms / 1000).toFixed(1)), result }))
  return { passed: true, rows }
}
