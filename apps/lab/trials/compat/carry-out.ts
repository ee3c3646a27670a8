import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { isClean, type Verdict } from '../chaos/verdict.ts'
import { checkOutFormer } from './former-checkout.ts'
import { runCompat } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Runs both pairs: with the former edge, and with the former cloud. */
export async function carryOut({ with: commit }: Options, { print }: TrialOutput): Promise<Result> {
  const former = await checkOutFormer(commit)
  let passed = true
  try {
    const edge = former.entry('apps/edge/src/testing/counting-edge.ts')
    const cloud = former.entry('apps/cloud/src/test/unverifying-cloud.ts')
    const pairs = [
      { name: `edge of ${commit}, cloud of this release`, entries: { edge } },
      { name: `edge of this release, cloud of ${commit}`, entries: { cloud } },
    ]
    for (const { name, entries } of pairs) {
      const isRight = (mixed: Verdict) =>
        isClean(mixed) && (former.extras ? mixed.evidence > 0 : isWithoutExtras(mixed))
      const { mixed, upgraded } = await runCompat(entries, isRight)
      print(`${name}: ${describe(mixed)}`)
      if (upgraded) print(`the same, upgraded: ${describe(upgraded)}`)
      passed &&= upgraded !== null && isClean(upgraded) && upgraded.extrasWaiting === 0
    }
  } finally {
    await former.remove()
  }
  return { passed }
}

function isWithoutExtras({ evidence, discards, extrasWaiting }: Verdict): boolean {
  return evidence + discards + extrasWaiting === 0
}

function describe({ produced, stored, lost, duplicated, misordered, unrecordedGaps, ...rest }: Verdict): string {
  const { evidence, discards, extrasWaiting } = rest
  return (
    `produced=${produced} stored=${stored} lost=${lost} duplicated=${duplicated} misordered=${misordered} ` +
    `unrecorded_gaps=${unrecordedGaps} evidence=${evidence} discards=${discards} extras_waiting=${extrasWaiting}`
  )
}
