import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { changedSince, defaultBase } from './changed-files.ts'
import { nearestFirst } from './nearest-first.ts'
import { createStopwatch } from './stopwatch.ts'

/**
 * `npm test`, and with `--quick` `npm run test:quick`: runs the check and then Vitest. The last lines are the time of
 * each part and the reasons of skipped tests. Beside the check, tests of several replicas failed on two cores.
 * Arguments other than options restrict the tests to paths that contain one of them.
 */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** Largest number of test files of a quick run beside `pure`; more would take over three minutes on two cores. */
const MOST_RELATED = 40

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, since: { type: 'string' } },
  allowPositionals: true,
})
const stopwatch = createStopwatch(root)

await stopwatch.part('check', runCheck)
if (process.exitCode) stopwatch.print()
else await runTests()

/** Runs the check and sets the exit code if it fails. */
function runCheck(): Promise<void> {
  const child = spawn('npm', ['run', '--silent', 'check'], { cwd: root, stdio: 'inherit' })
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return new Promise((resolve) => {
    child.once('error', () => {
      process.exitCode = 1
      resolve()
    })
    child.once('exit', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      process.exitCode = code ?? 1
      resolve()
    })
  })
}

/** @returns never, because the process ends */
function wrongBase(): never {
  process.stderr.write(`--since ${values.since ?? ''}: no such commit.\n`)
  process.exit(2)
}

async function runTests(): Promise<void> {
  const base = values.quick ? (values.since ?? (await defaultBase(root))) : null
  const changed = base === null ? [] : await changedSince(root, base).catch(wrongBase)
  const vitest = await createVitest(
    'test',
    {
      config: fileURLToPath(new URL('../../vitest.config.ts', import.meta.url)),
      run: true,
      watch: false,
      reporters: ['default', stopwatch.reporter],
      ...(values.quick && { project: ['pure', 'app', 'native'], related: changed, forceRerunTriggers: [] }),
    },
    {},
    {},
  )
  try {
    if (base === null) await vitest.start(positionals)
    else {
      const all = await vitest.globTestSpecifications(positionals)
      const pure = all.filter(({ project }) => project.name === 'pure')
      const related = await stopwatch.part('related', () => vitest.getRelevantTestSpecifications(positionals))
      const others = nearestFirst(
        related.filter(({ project }) => project.name !== 'pure'),
        changed,
      )
      const chosen = others.slice(0, MOST_RELATED)
      process.stdout.write(
        `${changed.length} files changed since ${base}: ` +
          `${chosen.length} of ${others.length} related test files run beside pure.\n`,
      )
      await vitest.standalone()
      await vitest.runTestSpecifications([...pure, ...chosen])
    }
  } finally {
    await vitest.close()
    stopwatch.print()
  }
}
