import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { createFaults } from './faults.ts'
import { type Resources, resourceNames, type Scene, startScene } from './scene.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Carries out one fault after the other, then compares what the programs hold with what they held before. */
export async function carryOut({ congelado }: Options, { progress }: TrialOutput): Promise<Result> {
  const scene = await startScene()
  try {
    const rows: Row[] = []
    const before = await scene.resources()
    const faults = createFaults(congelado * 60_000)
    for (const [index, { name, run }] of faults.entries()) {
      progress(index / (faults.length + 1), name)
      rows.push(await rowOf(name, () => run(scene)))
    }
    progress(faults.length / (faults.length + 1), 'resources')
    rows.push(await rowOf('nothing leaked', () => compareResources(scene, before)))
    return { passed: rows.every(({ ok }) => ok), rows }
  } finally {
    await scene.close()
  }
}

async function rowOf(fault: string, run: () => Promise<string>): Promise<Row> {
  const begun = performance.now()
  try {
    return { fault, ok: true, result: await run() }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { fault, ok: false, result: `after ${Math.round(performance.now() - begun)} ms: ${problem}` }
  }
}

async function compareResources(scene: Scene, before: Resources): Promise<string> {
  const { after, beyond } = await scene.leaks(before)
  const figures = resourceNames.map((name) => `${name} ${before[name]} → ${after[name]}`).join(', ')
  if (beyond.length > 0) throw new Error(`${beyond.join(', ')} grew: ${figures}`)
  return figures
}
