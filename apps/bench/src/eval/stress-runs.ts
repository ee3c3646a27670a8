import { type NomeIa, problemasImagem } from '@vigia/contracts/ias'
import type { Footage } from './data-set.ts'
import { isUnderstood } from './expectations.ts'
import { summarizeIas, videoJob, videoResult } from './jobs.ts'
import type { VideoJob } from './lane-protocol.ts'
import type { JobResult } from './lanes.ts'
import type { ModelResult, ObstructionResult, StressResult } from './result.ts'
import { strengthOf } from './stress/obstructions.ts'
import { transformNames, transformOf } from './stress/transforms.ts'

/** The camera is in order until then, so that what is normal is known, s. */
export const OBSTRUCTED_FROM_S = 30
/** Length of an obstructed clip, s: the default calibration waits 10 s before it tells. */
const OBSTRUCTED_UNTIL_S = 70

/** Clips of which the labels say when something happens, or that nothing does. */
export const stressable = (footage: readonly Footage[]): Footage[] =>
  footage.filter(({ fire, labels }) => fire !== null || labels.some(({ event }) => isUnderstood(event)))

export const transformJobs = (clips: readonly Footage[], ias: readonly NomeIa[]): VideoJob[] =>
  transformNames.flatMap((name) =>
    clips.map((clip) => ({ ...videoJob(clip, ias), stress: { kind: 'transform' as const, name } })),
  )

/** Of the results of `transformJobs`, one row for each transformation. */
export function transformResults(
  clips: readonly Footage[],
  ias: readonly NomeIa[],
  models: readonly ModelResult[],
  results: readonly JobResult[],
): StressResult[] {
  return transformNames.map((name, index) => {
    const mine = results.slice(index * clips.length, (index + 1) * clips.length)
    const videos = clips.map((clip, at) => videoResult(clip, ias, mine[at]))
    const { titulo, forca } = transformOf(name)
    const codec = mine.flatMap((one) => (one.kind === 'video' ? (one.codec ?? []) : []))[0] ?? null
    return { transformacao: titulo, forca, codec, ias: summarizeIas(videos, models) }
  })
}

/** The longest clip, as far as its labels tell, with each of the problems from OBSTRUCTED_FROM_S on. */
export function obstructionJobs(clips: readonly Footage[]): VideoJob[] {
  const lastLabel = ({ labels }: Footage) => Math.max(0, ...labels.map(({ endS }) => endS))
  const [clip] = clips.toSorted((a, b) => lastLabel(b) - lastLabel(a))
  if (!clip || lastLabel(clip) < OBSTRUCTED_UNTIL_S) return []
  return problemasImagem.map((problema) => ({
    ...videoJob(clip, ['camera_obstruida']),
    ias: ['camera_obstruida'],
    stress: { kind: 'obstruction' as const, problema, fromS: OBSTRUCTED_FROM_S, untilS: OBSTRUCTED_UNTIL_S },
  }))
}

export function obstructionResults(jobs: readonly VideoJob[], results: readonly JobResult[]): ObstructionResult[] {
  return jobs.flatMap(({ stress }, index) => {
    const result = results[index]
    if (stress?.kind !== 'obstruction' || result?.kind !== 'video') return []
    const event = result.watched.events.find(({ atS }) => atS >= OBSTRUCTED_FROM_S)
    return {
      problema: stress.problema,
      forca: strengthOf(stress.problema),
      depois_s: event ? event.atS - OBSTRUCTED_FROM_S : null,
      dito: event?.detalhes.problema ?? null,
      antes: result.watched.events.filter(({ atS }) => atS < OBSTRUCTED_FROM_S).length,
    }
  })
}
