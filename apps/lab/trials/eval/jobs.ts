import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { isSupported } from '@vigia/ias/analysis'
import { evidenceOf } from '@vigia/ias/evidences'
import { benchOf } from './benches.ts'
import type { Footage, StillSet } from './data-set.ts'
import { scoreEvents } from './event-score.ts'
import { expectationOf, sceneOf } from './expectations.ts'
import type { StillsJob, VideoJob } from './lane-protocol.ts'
import type { JobResult } from './lanes.ts'
import type { IaResult, ModelResult, VideoResult } from './result.ts'
import { summarizeIa } from './summarize.ts'

/** Pictures per job: few enough that all processes end at about the same time. */
const STILLS_A_JOB = 8

export function videoJob(footage: Footage, ias: readonly NomeIa[]): VideoJob {
  const scene = sceneOf(footage)
  return { kind: 'video', path: footage.path, scene, ias: scene.ias ?? ias, stress: null }
}

/** `ias`: the IAs that can run. */
export function stillsJobs({ stills, classes }: StillSet, ias: readonly NomeIa[]): StillsJob[] {
  const isLabelled = (ia: NomeIa) => classes.some(({ tarefa }) => tarefa in evidenceOf(ia).needs)
  const paths = stills.map(({ path }) => path)
  return Array.from({ length: Math.ceil(paths.length / STILLS_A_JOB) }, (_, index) => ({
    kind: 'stills',
    paths: paths.slice(index * STILLS_A_JOB, (index + 1) * STILLS_A_JOB),
    ias: ias.filter((ia) => !benchOf(ia).onlyLabelledSets || isLabelled(ia)),
  }))
}

/** The result of one video together with its labels. `ias`: the IAs that ran. */
export function videoResult(footage: Footage, ias: readonly NomeIa[], result: JobResult | undefined): VideoResult {
  if (result?.kind !== 'video') throw new Error(`no result for ${footage.name}`)
  const { analysed } = result
  // IAs outside the scene did not run: their silence is not footage without false events.
  const ran = ias.filter((ia) => sceneOf(footage).ias?.includes(ia) ?? true)
  return {
    video: footage.name,
    quiet: footage.labels.filter(({ event }) => event === 'no_motion'),
    ...analysed,
    scores: ran.map((ia) => scoreEvents(ia, analysed.events, expectationOf(footage, ia), analysed.durationS)),
  }
}

export const summarizeIas = (videos: readonly VideoResult[], models: readonly ModelResult[]): IaResult[] =>
  nomesIas.map((ia) => summarizeIa(ia, videos, unusableOf(models, ia)))

/** Reason why this IA cannot run; null: it can run. */
export function unusableOf(models: readonly ModelResult[], ia: NomeIa): string | null {
  if (!isSupported(ia)) return 'medida à parte: npm run lab -- placas'
  const unusable = models.find(({ tarefa, motivo }) => tarefa in evidenceOf(ia).needs && motivo !== null)
  return unusable ? `indisponível: ${unusable.motivo}` : null
}
