import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '@vigia/testing/program'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { toPage } from './page.ts'
import { runMatrix } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

export async function carryOut({ only, lanes }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const quirks = await chosenQuirks(only)
  const rows = await runMatrix({
    quirks,
    lanes,
    onRow: ({ quirk, problems }, done) => {
      progress(done / quirks.length, quirk)
      for (const problem of problems) print(`${quirk}: ${problem}`)
    },
  })
  print(toPage(rows))
  const problems = rows.flatMap(({ quirk, problems }) => problems.map((problem) => `${quirk}: ${problem}`))
  if (problems.length > 0) print(`\n${problems.join('\n')}`)
  return { passed: problems.length === 0, figures: { rows } }
}

/** The quirks of the simulator, which no other app may import. */
async function chosenQuirks(only: string | undefined): Promise<readonly string[]> {
  const file = pathToFileURL(join(repositoryRoot, 'apps/dvr-simulator/src/quirks.ts')).href
  const { quirkNames } = (await import(file)) as { quirkNames: readonly string[] }
  const chosen = only?.split(',') ?? quirkNames
  const unknown = chosen.filter((name) => !quirkNames.includes(name))
  if (unknown.length > 0) throw new WrongCall(`--only: there is no quirk ${unknown.join(', ')}`)
  return chosen
}
