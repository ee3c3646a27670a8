import type { Result, TrialOutput } from '@vigia/testing/trial'
import { WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { runWithinNamespace } from './cloud-disk.ts'
import { isRightlyDropped } from './drops.ts'
import { runChaos } from './run.ts'
import type trial from './trial.ts'
import { isClean, isSeen, summary, witnessLine } from './verdict.ts'

type Options = z.output<typeof trial.options>

/** Draws a seed where none is given, and runs in a mount namespace of its own where the machine allows it. */
export async function carryOut(given: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { rounds, broker, replicas, verbose } = given
  const seed = given.seed ?? Date.now() % 1_000_000
  const banco = given.banco ?? (replicas > 1 ? 'postgres' : 'sqlite')
  if (replicas > 1 && banco === 'sqlite') throw new WrongCall('several replicas need --banco postgres')
  // PostgreSQL needs a user that the namespace does not have.
  const status = banco === 'postgres' ? null : runWithinNamespace()
  if (status !== null) process.exit(status)
  print(
    `${rounds} rounds, seed ${seed}, broker ${broker}, ${replicas} on ${banco}: ` +
      `repeat with --rounds ${rounds} --seed ${seed}`,
  )
  const { verdict, drops, witnessed, faults, files } = await runChaos(
    { rounds, seed, broker, replicas, banco },
    (round, names, stored) => {
      if (verbose) print(`round ${round}: ${names.join(', ')}; ${stored} stored`)
      else progress(round / rounds, `${round}/${rounds}, ${stored} stored`)
    },
  )
  print(
    [...faults]
      .sort()
      .map(([name, times]) => `${name}: ${times}`)
      .join(', '),
  )
  print(
    `dropped by the quota and recorded: ${verdict.droppedEvents} events, pictures of ${verdict.droppedPictures} more`,
  )
  if (files !== null) print(`databases and logs: ${files}`)
  if (witnessed) print(witnessLine(witnessed))
  print(summary(verdict, rounds, seed, drops))
  return { passed: isClean(verdict) && isSeen(witnessed) && isRightlyDropped(drops) }
}
