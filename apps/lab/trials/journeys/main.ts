import { parseArgs } from 'node:util'
import { lackedBy } from './harness/journey.ts'
import { runJourney } from './harness/run-journey.ts'
import { sizes } from './harness/sizes.ts'
import { startWorld } from './harness/world.ts'
import { journeys } from './registry.ts'

/**
 * `npm run journeys`: every journey on every screen, light and dark. `--only`, `--width` and `--theme` choose some;
 * `--pictures FOLDER` writes a picture of each step. The exit code is 1 if one fails.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    width: { type: 'string' },
    theme: { type: 'string' },
    pictures: { type: 'string' },
  },
})
const chosen = journeys.filter(({ name }) => values.only === undefined || name === values.only)
const screens = sizes.filter(
  ({ width, theme }) => String(width) === (values.width ?? String(width)) && theme === (values.theme ?? theme),
)
if (chosen.length === 0 || screens.length === 0) {
  const names = journeys.map(({ name }) => name).join(', ')
  process.stderr.write(`Nothing to run. --only: ${names}; --width: 390, 1280 or 2560; --theme: light or dark.\n`)
  process.exit(2)
}

const runs = chosen.flatMap((journey) => screens.map((size) => ({ journey, size })))
let failures = 0
let skipped = 0
const world = await startWorld()
try {
  for (const [index, { journey, size }] of runs.entries()) {
    const started = performance.now()
    const lacked = lackedBy(journey)
    if (lacked !== null) {
      process.stdout.write(`${index + 1}/${runs.length} skipped ${journey.name}: ${lacked}\n`)
      skipped += 1
      continue
    }
    const problem = await runJourney(journey, world, size, values.pictures).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const what = `${journey.name} at ${size.width} px, ${size.theme}`
    if (problem !== null) failures += 1
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${index + 1}/${runs.length} ${problem === null ? 'ok' : 'FAILED'} ${what} (${seconds} s)\n`)
    if (problem !== null) process.stdout.write(`${problem}\n`)
  }
} finally {
  await world.close()
}
process.stdout.write(`${runs.length - failures - skipped} of ${runs.length} runs passed, ${skipped} skipped.\n`)
process.exitCode = failures === 0 ? 0 : 1
