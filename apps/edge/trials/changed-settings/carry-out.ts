import { below, resultOf } from '@vigia/testing/checks'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { changeSettings } from './run.ts'

/** The product's promise. */
const EFFECT_MS = 5_000

/** Measures the delay of each change. */
export async function carryOut({ progress }: TrialOutput): Promise<Result> {
  const { effects } = await changeSettings((change) => progress(0, change))
  return resultOf(effects.map(({ change, effectMs }) => below(change, effectMs, EFFECT_MS, 'ms')))
}
