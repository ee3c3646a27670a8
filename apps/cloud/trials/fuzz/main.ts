import { parseArgs } from 'node:util'
import { callerNames } from './callers.ts'
import { ANSWER_MS, type Asked, countAnswers, takenShare } from './judge.ts'
import { LEAST_EACH } from './plan.ts'
import { type FuzzRun, runFuzz } from './run.ts'
import { attachTarget, startTarget } from './target.ts'

/**
 * `npm run fuzz -- [--requests 50000] [--seed 1]`: calls every route as every kind of caller. The exit status is 0 only
 * without a fault. With `--at URL --data-dir DIR` it calls a running cloud on this machine, as load for another
 * program; VIGIA_ADMIN_PASSWORD is the operator's password.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    at: { type: 'string' },
    'data-dir': { type: 'string' },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
if (!(Number.isSafeInteger(requests) && requests > 0) || !(Number.isInteger(seed) && Math.abs(seed) < 2 ** 30)) {
  console.error(
    '--requests is a whole number from 1 on, --seed one between -2^30 and 2^30: ' +
      'npm run fuzz -- --requests 50000 --seed 1',
  )
  process.exit(2)
}
/** Highest share of answers with 429, and lowest share of accepted inputs. */
const LIMITED_MAX = 0.05
const TAKEN_MIN = 0.5

const started = values.at === undefined ? await startTarget() : null
const target =
  started ?? (await attachTarget(values.at ?? '', values['data-dir'] ?? '', process.env.VIGIA_ADMIN_PASSWORD ?? ''))
const run = await runFuzz(target, { requests, seed, least: LEAST_EACH, answerMs: ANSWER_MS }, (sent, total) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${sent} of ${total} requests `)
})
if (process.stderr.isTTY) process.stderr.write('\n')
await started?.stop()
process.exit(report(run) ? 0 : 1)

function report({ answers, faults }: FuzzRun): boolean {
  const routes = Map.groupBy(answers, ({ route }) => `${route.method.toUpperCase()} ${route.path}`)
  for (const [name, asked] of [...routes].sort())
    console.log(`${name}\n  ${callerNames.map((one) => ofCaller(one, asked)).join('\n  ')}`)
  for (const { route, caller, path, fault, text, request } of faults)
    console.log(
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
  console.log(
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

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
