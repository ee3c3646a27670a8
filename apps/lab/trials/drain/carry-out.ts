import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { isClean } from '../chaos/verdict.ts'
import { measureHours, streams } from './hours.ts'
import { describeDrain, runDrain } from './run.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Drains one backlog, or measures with `hours` each size of the analysed stream. */
export async function carryOut({ events, evidence, hours }: Options, output: TrialOutput): Promise<Result> {
  if (hours) return measureAll(output)
  output.print(`${events} events are put on the disk of a box without a connection…`)
  const drain = await runDrain(events, evidence, (stored) =>
    output.progress(stored / events, `${stored} of ${events} stored`),
  )
  output.print(describeDrain(drain))
  return { passed: isClean(drain.verdict) }
}

/** Passes if the further pictures shorten the time of the pictures of events by less than 2 %. */
async function measureAll({ progress }: TrialOutput): Promise<Result> {
  let passed = true
  const rows = []
  for (const { name, pictureBytes, evidenceBytes } of streams) {
    progress(rows.length / (2 * streams.length), name)
    const without = await measureHours(pictureBytes, 0)
    const withThem = await measureHours(pictureBytes, evidenceBytes)
    for (const [word, measured] of Object.entries({ no: without, yes: withThem }))
      rows.push({
        stream: name,
        extras: word,
        bytes_per_event: Math.round(measured.bytesPerEvent),
        hours_per_gb_complete: Math.round(measured.complete),
        hours_per_gb_with_pictures: Math.round(measured.withPictures),
        extras_when_full: measured.extras,
      })
    passed &&= withThem.withPictures > without.withPictures * 0.98
  }
  return { passed, rows }
}
