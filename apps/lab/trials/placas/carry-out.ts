import { resolve } from 'node:path'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { measureRoad } from './measure-road.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Largest p99 from the first frame of the car, in ms. The first readable frame is later. */
const LIMITS = { sseMs: 2_000, webhookMs: 3_000 } as const

/** Compares losses and delays with their limits. */
export async function carryOut(
  { cameras, minutos, segundos, data }: Options,
  { print, progress }: TrialOutput,
): Promise<Result> {
  const road = { dataDir: resolve(data), cameras, minutes: minutos, carS: segundos }
  const figures = await measureRoad(road, progress)
  print(
    Object.entries(figures)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  )
  const { passages, lost, doubled, sse_p99_ms, webhook_p99_ms } = figures
  const isFast = sse_p99_ms <= LIMITS.sseMs && webhook_p99_ms <= LIMITS.webhookMs
  return { passed: passages > 0 && lost + doubled === 0 && isFast, figures }
}
