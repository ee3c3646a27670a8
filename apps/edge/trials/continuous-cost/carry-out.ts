import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { measureRecording } from './measure.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Largest cost of recording above reading, in cores a camera. */
const MOST_CORES = 0.0015

/** Compares recording with reading. */
export async function carryOut(
  { cameras, segundos, pasta }: Options,
  { print, progress }: TrialOutput,
): Promise<Result> {
  const cost = await measureRecording(cameras, segundos, pasta, progress)
  const above = cost.recordingCores - cost.readingCores
  const isCheap = above <= MOST_CORES
  print(`${isCheap ? 'ok' : 'above the limit'}: ${above.toFixed(4)} of ${MOST_CORES} core a camera`)
  return {
    passed: isCheap,
    rows: [
      { measure: 'disk, cameras', figure: `${cost.disk}, ${cameras}` },
      { measure: 'reading', figure: `${cost.readingCores.toFixed(4)} core a camera` },
      { measure: 'reading and recording', figure: `${cost.recordingCores.toFixed(4)} core a camera` },
      { measure: 'files', figure: `${cost.fileGb.toFixed(2)} GB a day and camera` },
      { measure: 'writes to the disk', figure: `${cost.writtenGb.toFixed(2)} GB a day and camera` },
    ],
    figures: cost,
  }
}
