import type { Result } from '@vigia/testing/trial'
import type { z } from 'zod'
import { type FloodResult, type FloodShape, runFlood } from './run.ts'
import type trial from './trial.ts'

/** Accepted increase of `GET /cameras` of another Empresa, 95th percentile. */
const MOST_ABOVE_IDLE_MS = 50
const shapes: readonly FloodShape[] = [
  { records: 256, pictureBytes: 0 },
  { records: 64, pictureBytes: 2_000 },
  { records: 1, pictureBytes: 0 },
  { records: 90, pictureBytes: 60_000 },
]

/** Measures the effect of each kind of flood. */
export async function carryOut({ seconds }: z.output<typeof trial.options>): Promise<Result> {
  const results = await runFlood(shapes, seconds)
  return {
    passed: results.every(({ idleMs, floodMs }) => floodMs - idleMs < MOST_ABOVE_IDLE_MS),
    rows: results.map(rowOf),
  }
}

const rowOf = ({ shape, idleMs, floodMs, sentPerS, storedPerS }: FloodResult) => ({
  records_per_batch: shape.records,
  picture_bytes: shape.pictureBytes,
  p95_idle_ms: Number(idleMs.toFixed(1)),
  p95_flood_ms: Number(floodMs.toFixed(1)),
  above_idle_ms: Number((floodMs - idleMs).toFixed(1)),
  sent_s: Math.round(sentPerS),
  stored_s: Math.round(storedPerS),
})
