import { parseArgs } from 'node:util'
import { runMessageChaos } from './run.ts'

/**
 * `npm run messages-chaos -- [--rounds 100]`: kills the cloud in each round between commit, verdict, grouping and
 * delivery. The exit status is 0 when every confirmed event and incidente arrived under one id, and nothing else did.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)
if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 10_000)) {
  console.error('--rounds is a number from 1 to 10000: npm run messages-chaos -- --rounds 100')
  process.exit(2)
}
const begun = performance.now()
const report = await runMessageChaos({
  rounds,
  onRound: (round, point) => round % 10 === 0 && console.log(`round ${round} of ${rounds}, killed at ${point}`),
})
const { problems, ...counts } = report
console.table([{ ...counts, problems: problems.length, seconds: Math.round((performance.now() - begun) / 1_000) }])
for (const problem of problems) console.log(problem)
process.exit(problems.length === 0 ? 0 : 1)
