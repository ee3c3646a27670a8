import { median } from '@vigia/testing/stats'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { measurePackager, subjects, WITH_AUDIO } from './measure.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Largest cost above the demuxer, in cores a camera. */
const MOST_CORES = 0.004
/** The same with audio, which FFmpeg's demuxer reads and its encoder encodes. */
const MOST_CORES_AUDIO = 0.012

/** Compares the median of each subject with that of the demuxer. */
export async function carryOut(
  { cameras, segundos, voltas }: Options,
  { print, progress }: TrialOutput,
): Promise<Result> {
  const costs = await measurePackager(cameras, segundos, voltas, progress)
  const medians = subjects.map((subject) => {
    const own = costs.filter((cost) => cost.subject === subject)
    return {
      subject,
      cores: median(own.map(({ cores }) => cores)),
      parts: median(own.map((cost) => cost.partsPerSecond)),
    }
  })
  const demuxer = medians[0]?.cores ?? 0
  const clips = costs.flatMap(({ clip }) => clip ?? [])
  const [cutMs, stripMs, bytes] = [
    median(clips.map((clip) => clip.cutMs)),
    median(clips.map((clip) => clip.stripMs)),
    median(clips.map((clip) => clip.bytes)),
  ]
  print(`a clip of ${(bytes / 1e6).toFixed(1)} MB: ${cutMs.toFixed(1)} ms, its strip ${stripMs.toFixed(1)} ms`)
  const mostOf = (hasAudio: boolean) =>
    Math.max(
      ...medians.filter(({ subject }) => (subject === WITH_AUDIO) === hasAudio).map(({ cores }) => cores - demuxer),
    )
  const results = [
    { name: 'video', most: mostOf(false), limit: MOST_CORES },
    { name: 'video and audio', most: mostOf(true), limit: MOST_CORES_AUDIO },
  ]
  for (const { name, most, limit } of results)
    print(`${most <= limit ? 'ok' : 'above the limit'}: ${name}, ${most.toFixed(4)} of ${limit} core a camera`)
  return {
    passed: results.every(({ most, limit }) => most <= limit),
    rows: medians.map(({ subject, cores, parts }) => ({
      subject,
      'core a camera': Number(cores.toFixed(4)),
      'above the demuxer': Number((cores - demuxer).toFixed(4)),
      'parts/s': Number(parts.toFixed(1)),
    })),
    figures: { clip: { bytes, cutMs, stripMs } },
  }
}
