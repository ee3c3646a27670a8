import { parseArgs } from 'node:util'
import { startProgram } from '@vigia/testing/program'
import { type HostileContext, hostilities } from './hostilities.ts'
import { CONNECTS, type Measured, measure } from './measure.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * `npm run neighbours -- [--seconds 15]`: prints a table of measurements of one Empresa, with and without a hostile
 * Empresa. The exit status is 0 when verdicts take at most 3 s more, requests (p95) at most 50 ms more, and the edge
 * always connects.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '15' } } })
const lengthMs = Number(values.seconds) * 1_000
if (!(lengthMs >= 5_000 && lengthMs <= 600_000)) {
  console.error('--seconds is a number from 5 to 600: npm run neighbours -- --seconds 15')
  process.exit(2)
}
const VERDICT_MORE_MS = 3_000
const API_MORE_MS = 50

const stage = await openStage()
let ok = true
try {
  // The first verdict waits until the verifier has loaded its models.
  await measure(stage, 5_000)
  const alone = await measure(stage, lengthMs)
  console.log(
    '| the other Empresa | verdict p50 / max, ms | GET /cameras p50 / p95, ms | edge connects (slowest, ms) |',
  )
  console.log('|---|---|---|---|')
  console.log(row('does nothing', alone))
  for (const { name } of hostilities) {
    const measured = await during(stage, name)
    const isFair =
      measured.verdictMax <= alone.verdictMax + VERDICT_MORE_MS &&
      measured.apiP95 <= alone.apiP95 + API_MORE_MS &&
      measured.apiFailures === 0 &&
      measured.connected === CONNECTS
    ok &&= isFair
    console.log(`${row(name, measured)}${isFair ? '' : ' **over the bound**'}`)
  }
} finally {
  await stage.stop()
}
process.exit(ok ? 0 : 1)

async function during({ url, mqttPort, hostile, honest }: Stage, name: string): Promise<Measured> {
  const { edgeId, cameraIds, identity, admin } = hostile
  const context: HostileContext = { url, mqttPort, token: admin.token, edgeId, cameraIds, identity }
  const program = await startProgram({
    entry: 'apps/cloud/src/neighbours/hostile-program.ts',
    args: [name],
    env: { VIGIA_HOSTILE_CONTEXT: JSON.stringify(context) },
  })
  try {
    return await measure({ url, mqttPort, honest }, lengthMs)
  } finally {
    await program.kill()
  }
}

function row(name: string, { verdictP50, verdictMax, apiP50, apiP95, connected, connectMax }: Measured): string {
  const ms = (value: number) => Math.round(value)
  const connections = `${connected} of ${CONNECTS} (${ms(connectMax)})`
  return `| ${name} | ${ms(verdictP50)} / ${ms(verdictMax)} | ${ms(apiP50)} / ${ms(apiP95)} | ${connections} |`
}
