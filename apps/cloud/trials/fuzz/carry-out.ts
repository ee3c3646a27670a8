import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { callerNames } from './callers.ts'
import { ANSWER_MS, type Asked, countAnswers, takenShare } from './judge.ts'
import { LEAST_EACH } from './plan.ts'
import { type FuzzRun, runFuzz } from './run.ts'
import { attachTarget, startTarget } from './target.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Highest share of answers with 429, and lowest share of accepted inputs. */
const LIMITED_MAX = 0.05
const TAKEN_MIN = 0.5

/** Calls a cloud of its own or a running one. */
export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { requests, seed, at, 'data-dir': dataDir } = options
  if ((at === undefined) !== (dataDir === undefined)) throw new WrongCall('--at and --data-dir belong together')
  const started = at === undefined ? await startTarget() : null
  try {
    const target = started ?? (await attachTarget(at ?? '', dataDir ?? '', process.env.VIGIA_ADMIN_PASSWORD ?? ''))
    const run = await runFuzz(target, { requests, seed, least: LEAST_EACH, answerMs: ANSWER_MS }, (sent, total) =>
      progress(sent / total, `${sent} of ${total} requests`),
    )
    return { passed: report(run, seed, print) }
  } finally {
    await started?.stop()
  }
}

/** Prints the statuses of each route and caller, the faults and the counts. Returns whether the run passes. */
function report({ answers, faults }: FuzzRun, seed: number, print: TrialOutput['print']): boolean {
  const routes = Map.groupBy(answers, ({ route }) => `${route.method.toUpperCase()} ${route.path}`)
  for (const [name, asked] of [...routes].sort())
    print(`${name}\n  ${callerNames.map((one) => ofCaller(one, asked)).join('\n  ')}`)
  for (const { route, caller, path, fault, text, request } of faults)
    print(
      `FAULT ${route.method.toUpperCase()} ${path} as ${caller}: ${fault}\n` +
        `  ${text.slice(0, 500)}\n  ${request.body?.slice(0, 500) ?? ''}`,
    )
  const counts = countAnswers(answers)
  const limited = counts.limited / counts.asked
  const taken = takenShare(counts)
  const least = Math.min(
    ...[...routes.values()].flatMap((asked) =>
      callerNames.map((name) => asked.filter(({ caller }) => caller === name).length),
    ),
  )
  print(
    `requests=${counts.asked} routes=${routes.size} least_per_route_and_caller=${least} ` +
      `past_validation=${percent(taken)} limited=${percent(limited)} faults=${faults.length} seed=${seed}`,
  )
  return faults.length === 0 && limited <= LIMITED_MAX && taken >= TAKEN_MIN && least >= LEAST_EACH
}

function ofCaller(name: string, asked: readonly Asked[]): string {
  const own = Map.groupBy(
    asked.filter(({ caller }) => caller === name),
    ({ status }) => status,
  )
  const statuses = [...own].sort(([a], [b]) => a - b).map(([status, list]) => `${status}×${list.length}`)
  return `${name}: ${statuses.join(' ')}`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
