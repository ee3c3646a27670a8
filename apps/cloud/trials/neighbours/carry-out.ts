import { type Program, startProgram } from '@vigia/testing/program'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import type { AttackContext } from './attack.ts'
import { attacks } from './attacks.ts'
import { type Measured, openNeighbour } from './measure.ts'
import { openStage, type Stage } from './stage.ts'
import type trial from './trial.ts'
import { HEADER, judge, toRow } from './verdict.ts'

type Options = z.output<typeof trial.options>

/** The first verdict waits until the verifier has loaded its models. */
const FIRST_MS = 5_000

/** Prints a row for each attack and for each phase without one, at its end. */
export async function carryOut({ seconds, banco, only }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const lengthMs = seconds * 1_000
  const chosen = attacks.filter(({ name }) => name.includes(only))
  if (chosen.length === 0)
    throw new WrongCall(
      `--only is a part of the name of an attack:\n${attacks.map(({ name }) => `  ${name}`).join('\n')}`,
    )
  const stage = await openStage(banco)
  let passed = true
  const report = (name: string, measured: Measured, alone: readonly Measured[]) => {
    const verdict = judge(measured, alone)
    passed &&= verdict.passes
    print(toRow(name, measured, verdict))
  }
  try {
    for (const attack of chosen) await attack.prepare?.(stage)
    await measure(stage, FIRST_MS)
    print(HEADER)
    let before = await measure(stage, lengthMs)
    report('alone', before, [before])
    for (const [at, { name }] of chosen.entries()) {
      progress(at / chosen.length, name)
      const measured = await measure(stage, lengthMs, name)
      const after = await measure(stage, lengthMs)
      report(name, measured, [before, after])
      report('alone', after, [before])
      before = after
    }
  } finally {
    await stage.stop()
  }
  return { passed }
}

/** Measures the neighbour, beside an attack if `attack` names one. */
async function measure(stage: Stage, ms: number, attack?: string): Promise<Measured> {
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
    url,
    mqttPort,
    dataDir,
    token: admin.token,
    empresaId,
    edgeId,
    cameraIds,
    identity,
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
