import { parseArgs } from 'node:util'
import { type Program, startProgram } from '@vigia/testing/program'
import type { AttackContext } from './attack.ts'
import { attacks } from './attacks.ts'
import { type Measured, openNeighbour } from './measure.ts'
import { openStage, type Stage } from './stage.ts'
import { HEADER, judge, toRow } from './verdict.ts'

/**
 * `npm run neighbours -- [--seconds 15] [--banco sqlite|postgres] [--only PART OF A NAME]`: measures one Empresa beside
 * a hostile one, each attack between two rows in which the hostile Empresa does nothing. The exit status is 0 when
 * every row passes (verdict.ts), 1 when one does not, 2 for an invalid call.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    banco: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
  },
})
const lengthMs = Number(values.seconds) * 1_000
const { banco } = values
const chosen = attacks.filter(({ name }) => name.includes(values.only))
if (
  !(lengthMs >= 5_000 && lengthMs <= 600_000) ||
  chosen.length === 0 ||
  (banco !== 'sqlite' && banco !== 'postgres')
) {
  console.error(
    '--seconds is a number from 5 to 600, --banco sqlite or postgres, --only a part of the name of an attack:\n' +
      attacks.map(({ name }) => `  ${name}`).join('\n'),
  )
  process.exit(2)
}

const stage = await openStage(banco)
let ok = true
try {
  for (const attack of chosen) await attack.prepare?.(stage)
  // The first verdict waits until the verifier has loaded its models.
  await measure(5_000)
  console.log(HEADER)
  let before = await measure(lengthMs)
  report('alone', before, [before])
  for (const { name } of chosen) {
    const measured = await measure(lengthMs, name)
    const after = await measure(lengthMs)
    report(name, measured, [before, after])
    report('alone', after, [before])
    before = after
  }
} finally {
  await stage.stop()
}
process.exit(ok ? 0 : 1)

function report(name: string, measured: Measured, alone: readonly Measured[]): void {
  const verdict = judge(measured, alone)
  ok &&= verdict.passes
  console.log(toRow(name, measured, verdict))
}

/** Measures the neighbour, beside an attack if `attack` names one. */
async function measure(ms: number, attack?: string): Promise<Measured> {
  const neighbour = await openNeighbour(stage)
  const hostile = attack === undefined ? null : await startHostile(stage, attack)
  try {
    return await neighbour.measure(ms)
  } finally {
    if (hostile) await endHostile(hostile)
    await neighbour.close()
  }
}

function startHostile({ url, mqttPort, dataDir, hostile }: Stage, name: string): Promise<Program> {
  const { empresaId, edgeId, cameraIds, identity, admin } = hostile
  const context: AttackContext = {
    ...{ url, mqttPort, dataDir, token: admin.token, empresaId, edgeId, cameraIds, identity },
  }
  return startProgram({
    entry: 'apps/cloud/trials/neighbours/hostile-program.ts',
    args: [name],
    env: { VIGIA_HOSTILE_CONTEXT: JSON.stringify(context) },
    // It has the lowest priority on a machine that may be busy.
    readyMs: 180_000,
  })
}

async function endHostile(program: Program): Promise<void> {
  const late = setTimeout(() => void program.kill(), 10_000)
  await program.stop()
  clearTimeout(late)
}
