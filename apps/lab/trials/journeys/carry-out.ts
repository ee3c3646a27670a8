import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { lackedBy } from './harness/journey.ts'
import { runJourney } from './harness/run-journey.ts'
import { sizes } from './harness/sizes.ts'
import { startWorld } from './harness/world.ts'
import { journeys } from './registry.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Runs the chosen journeys on the chosen screens, one after the other on one installation. */
export async function carryOut(given: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { only, pictures } = given
  const chosen = journeys.filter(({ name }) => name === (only ?? name))
  if (chosen.length === 0) throw new WrongCall(`--only is one of ${journeys.map(({ name }) => name).join(', ')}`)
  const screens = sizes.filter(
    ({ width, theme }) => String(width) === (given.width ?? String(width)) && theme === (given.theme ?? theme),
  )
  const runs = chosen.flatMap((journey) => screens.map((size) => ({ journey, size })))
  let failures = 0
  let skipped = 0
  const world = await startWorld()
  try {
    for (const [index, { journey, size }] of runs.entries()) {
      const of = `${index + 1}/${runs.length}`
      const lacked = lackedBy(journey)
      if (lacked !== null) {
        print(`${of} skipped ${journey.name}: ${lacked}`)
        skipped += 1
        continue
      }
      const what = `${journey.name} at ${size.width} px, ${size.theme}`
      progress(index / runs.length, what)
      const started = performance.now()
      const problem = await runJourney(journey, world, size, pictures).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      if (problem !== null) failures += 1
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      print(`${of} ${problem === null ? 'ok' : 'FAILED'} ${what} (${seconds} s)`)
      if (problem !== null) print(problem)
    }
  } finally {
    await world.close()
  }
  print(`${runs.length - failures - skipped} of ${runs.length} runs passed, ${skipped} skipped.`)
  return { passed: failures === 0 }
}
