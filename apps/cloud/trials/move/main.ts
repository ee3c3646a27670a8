import { parseArgs } from 'node:util'
import { createProgress } from '../../src/vigia/progress.ts'
import { runTrial } from './run-trial.ts'

/**
 * `npm run trial:move -- [--eventos 100000] [--bytes 10000] [--mortes 3]`: builds an installation with so many events
 * and pictures of so many bytes. Moves, backs up and restores it, with so many kills of each command, and compares the
 * answers of the API. Prints a table; the exit status is 0 without a difference.
 */
const { values } = parseArgs({
  options: {
    eventos: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: '10000' },
    mortes: { type: 'string', default: '3' },
  },
})
const [events = 0, pictureBytes = 0, kills = 0] = [values.eventos, values.bytes, values.mortes].map(Number)
if (!(events > 0 && pictureBytes > 100 && kills >= 0)) {
  console.error('each option is a number: npm run trial:move -- --eventos 100000')
  process.exit(2)
}
const { stderr } = process
const progress = createProgress({
  write: (text) => stderr.write(text),
  isTerminal: stderr.isTTY,
  columns: stderr.columns,
})
const { rows, files, bytes, steps } = await runTrial({ events, pictureBytes, kills, progress })
const megabytes = bytes / 1e6
console.log(`${rows} rows, ${files} pictures, ${megabytes.toFixed(0)} MB`)
console.table(
  steps.map((step) => ({
    command: step.command,
    kills: step.kills,
    seconds: Number(step.seconds.toFixed(1)),
    'last run, s': Number(step.lastSeconds.toFixed(1)),
    'rows/s': Math.round(rows / step.seconds),
    'MB/s': Number((megabytes / step.seconds).toFixed(1)),
    answers: step.answers ?? '–',
    differences: step.answers === null ? '–' : step.differences.length,
  })),
)
const differences = steps.flatMap((step) => step.differences)
for (const difference of differences.slice(0, 20)) console.log(difference)
process.exit(differences.length === 0 ? 0 : 1)
