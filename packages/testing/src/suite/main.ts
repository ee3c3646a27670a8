import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { changedSince, defaultBase } from './changed-files.ts'
import { nearestFirst } from './nearest-first.ts'
import { createStopwatch } from './stopwatch.ts'

/**
 * `npm test`, and with `--quick` `npm run test:quick`: runs the check and Vitest at the same time. The last lines are
 * the time of each part and the reasons of skipped tests. A failed check ends the tests, and its output is the last.
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

await runTests()

/** Runs the check. Resolves with its output if it failed. */
function runCheck(): Promise<string | null> {
  const child = spawn('npm', ['run', '--silent', 'check'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve(code === 0 ? null : output)
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
  const check = stopwatch.part('check', runCheck)
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
  void check.then(async (failure) => {
    if (failure !== null) await vitest.cancelCurrentRun('test-failure')
  })
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
    const failure = await check
    await vitest.close()
    if (failure === null) stopwatch.print()
    else {
      process.exitCode = 1
      process.stdout.write(`\n${failure}\nThe check failed; the output is above.\n`)
    }
  }
}
