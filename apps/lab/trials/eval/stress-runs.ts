import { ia as entryOf, type NomeIa, nomesIas, problemasImagem } from '@vigia/contracts/ias'
import type { Footage } from './data-set.ts'
import { isUnderstood } from './expectations.ts'
import { summarizeIas, videoJob, videoResult } from './jobs.ts'
import type { VideoJob } from './lane-protocol.ts'
import type { JobResult } from './lanes.ts'
import type { ModelResult, ObstructionResult, StressResult } from './result.ts'
import { strengthOf } from './stress/obstructions.ts'
import { transformNames, transformOf } from './stress/transforms.ts'

/** Time at which the obstruction starts; until then the pipeline learns the normal picture. */
export const OBSTRUCTED_FROM_S = 30
/** Length of an obstructed clip: the default calibration waits 10 s before it reports. */
const OBSTRUCTED_UNTIL_S = 70

/** Clips with labelled events, or labelled as without events. */
export const stressable = (footage: readonly Footage[]): Footage[] =>
  footage.filter(({ fire, labels }) => fire !== null || labels.some(({ event }) => isUnderstood(event)))

export const transformJobs = (clips: readonly Footage[], ias: readonly NomeIa[]): VideoJob[] =>
  transformNames.flatMap((name) =>
    clips.map((clip) => ({ ...videoJob(clip, ias), stress: { kind: 'transform' as const, name } })),
  )

/** One row for each transformation, from the results of `transformJobs`. */
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

/** IAs whose events name the problem of the picture. */
const problemIas = nomesIas.filter((nome) => 'problema' in entryOf(nome).detalhes)

/** The longest labelled clip, with each of the problems from OBSTRUCTED_FROM_S on. */
export function obstructionJobs(clips: readonly Footage[]): VideoJob[] {
  const lastLabel = ({ labels }: Footage) => Math.max(0, ...labels.map(({ endS }) => endS))
  const [clip] = clips.toSorted((a, b) => lastLabel(b) - lastLabel(a))
  if (!clip || lastLabel(clip) < OBSTRUCTED_UNTIL_S) return []
  return problemasImagem.map((problema) => ({
    ...videoJob(clip, problemIas),
    ias: problemIas,
    stress: { kind: 'obstruction' as const, problema, fromS: OBSTRUCTED_FROM_S, untilS: OBSTRUCTED_UNTIL_S },
  }))
}

export function obstructionResults(jobs: readonly VideoJob[], results: readonly JobResult[]): ObstructionResult[] {
  return jobs.flatMap(({ stress }, index) => {
    const result = results[index]
    if (stress?.kind !== 'obstruction' || result?.kind !== 'video') return []
    const event = result.analysed.events.find(({ atS }) => atS >= OBSTRUCTED_FROM_S)
    return {
      problema: stress.problema,
      forca: strengthOf(stress.problema),
      depois_s: event ? event.atS - OBSTRUCTED_FROM_S : null,
      dito: event?.detalhes.problema ?? null,
      antes: result.analysed.events.filter(({ atS }) => atS < OBSTRUCTED_FROM_S).length,
    }
  })
}
