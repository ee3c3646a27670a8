import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { runMove } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Differences that are printed. */
const SHOWN = 20

export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { eventos: events, bytes: pictureBytes, mortes: kills } = options
  const { rows, files, bytes, steps } = await runMove({ events, pictureBytes, kills, progress })
  const megabytes = bytes / 1e6
  print(`${rows} rows, ${files} pictures, ${megabytes.toFixed(0)} MB`)
  const differences = steps.flatMap((step) => step.differences)
  for (const difference of differences.slice(0, SHOWN)) print(difference)
  return {
    passed: differences.length === 0,
    rows: steps.map((step) => ({
      command: step.command,
      kills: step.kills,
      seconds: Number(step.seconds.toFixed(1)),
      'last run, s': Number(step.lastSeconds.toFixed(1)),
      'rows/s': Math.round(rows / step.seconds),
      'MB/s': Number((megabytes / step.seconds).toFixed(1)),
      answers: step.answers,
      differences: step.answers === null ? null : step.differences.length,
    })),
  }
}
