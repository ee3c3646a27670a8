import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { repositoryRoot } from '@vigia/testing/program'
import { rowsToMarkdown } from '@vigia/testing/table'
import { purposes, type Result, type Trial, WrongCall } from '@vigia/testing/trial'
import { findTrials } from './find-trials.ts'
import { createProgress } from './progress.ts'
import { type Provenance, readProvenance } from './provenance.ts'
import { type Call, readOptions, usageOf } from './read-options.ts'

/**
 * `npm run lab` lists the trials by purpose; `npm run lab -- NAME [FLAGS] [--json FILE]` carries one out. Resolves with
 * the exit status: 0 passed, 1 failed, 2 wrong call.
 */
export async function runLab([name, ...args]: readonly string[]): Promise<number> {
  const trials = await findTrials()
  if (name === undefined) {
    process.stdout.write(`${listOf(trials)}\n`)
    return 0
  }
  const trial = trials.find((one) => one.name === name)
  if (!trial) {
    process.stderr.write(`There is no trial ${name}: npm run lab lists them.\n`)
    return 2
  }
  try {
    return await carryOut(trial, readOptions(trial.options, args))
  } catch (error) {
    if (!(error instanceof WrongCall)) throw error
    process.stderr.write(`${error.message}\nnpm run lab -- ${name} ${usageOf(trial.options)}\n`)
    return 2
  }
}

async function carryOut(trial: Trial, { options, json }: Call): Promise<number> {
  if (trial.dashboard) buildDashboard()
  const origin = readProvenance()
  const started = performance.now()
  const result = await attempt(trial, options)
  const seconds = Math.round((performance.now() - started) / 1_000)
  if (result.rows && result.rows.length > 0) process.stdout.write(`${rowsToMarkdown(result.rows)}\n`)
  process.stdout.write(`${endOf(trial, result, origin, seconds)}\n`)
  const { name } = trial
  if (json !== null)
    await writeFile(json, `${JSON.stringify({ name, options, ...origin, seconds, ...result }, null, 2)}\n`)
  return result.passed ? 0 : 1
}

async function attempt(trial: Trial, options: Record<string, unknown>): Promise<Result> {
  const progress = createProgress()
  try {
    return await trial.run(options, {
      print(text) {
        progress.clear()
        process.stdout.write(`${text}\n`)
      },
      progress: progress.at,
    })
  } catch (error) {
    if (error instanceof WrongCall) throw error
    progress.clear()
    console.error(error)
    return { passed: false }
  } finally {
    progress.clear()
  }
}

function buildDashboard(): void {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: repositoryRoot, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('the dashboard was not built')
}

const endOf = ({ name }: Trial, { passed }: Result, origin: Provenance, seconds: number) =>
  `${name} ${passed ? 'passed' : 'FAILED'} in ${seconds} s: commit ${origin.commit}, ${origin.date}, ` +
  `load ${origin.load}, ${origin.machine}`

function listOf(trials: readonly Trial[]): string {
  const widest = Math.max(...trials.map(({ name }) => name.length))
  const line = ({ name, takes, summary }: Trial) => `  ${name.padEnd(widest)}  ${takes.padStart(7)}  ${summary}`
  return Object.entries(purposes)
    .map(([purpose, title]) => {
      const own = trials.filter((trial) => trial.purpose === purpose)
      return `${title}\n${own.map(line).join('\n')}`
    })
    .join('\n\n')
}
