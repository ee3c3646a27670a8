import { ia as entryOf, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { isSupported } from '@vigia/ias/analysis'
import type { Footage, StillSet } from './data-set.ts'
import { scoreEvents } from './event-score.ts'
import { expectationOf, sceneOf } from './expectations.ts'
import type { StillsJob, VideoJob } from './lane-protocol.ts'
import type { JobResult } from './lanes.ts'
import type { IaResult, ModelResult, VideoResult } from './result.ts'
import { summarizeIa } from './summarize.ts'

/** Pictures in one job: few enough that all processes end together. */
const STILLS_A_JOB = 8

export function videoJob(footage: Footage, ias: readonly NomeIa[]): VideoJob {
  const scene = sceneOf(footage)
  return { kind: 'video', path: footage.path, scene, ias: scene.ias ?? ias, stress: null }
}

/** `ias`: those that can run. `epi` is on only where the set labels what people wear: it takes half of the time. */
export function stillsJobs({ stills, classes }: StillSet, ias: readonly NomeIa[]): StillsJob[] {
  const people = classes.some(({ tarefa }) => tarefa !== 'fogo')
  const paths = stills.map(({ path }) => path)
  return Array.from({ length: Math.ceil(paths.length / STILLS_A_JOB) }, (_, index) => ({
    kind: 'stills',
    paths: paths.slice(index * STILLS_A_JOB, (index + 1) * STILLS_A_JOB),
    ias: ias.filter((ia) => people || ia !== 'epi'),
  }))
}

/** What the product made of one video, beside what the labels say of it. `ias`: those that ran. */
export function videoResult(footage: Footage, ias: readonly NomeIa[], result: JobResult | undefined): VideoResult {
  if (result?.kind !== 'video') throw new Error(`no result for ${footage.name}`)
  const { watched } = result
  // What the scene leaves out did not watch: its silence is no footage without false events.
  const ran = ias.filter((ia) => sceneOf(footage).ias?.includes(ia) ?? true)
  return {
    video: footage.name,
    quiet: footage.labels.filter(({ event }) => event === 'no_motion'),
    ...watched,
    scores: ran.map((ia) => scoreEvents(ia, watched.events, expectationOf(footage, ia), watched.durationS)),
  }
}

export const summarizeIas = (videos: readonly VideoResult[], models: readonly ModelResult[]): IaResult[] =>
  nomesIas.map((ia) => summarizeIa(ia, videos, unusableOf(models, ia)))

/** Why this IA cannot run; null: it can. Helmets are looked for on people, so epi needs two models. */
export function unusableOf(models: readonly ModelResult[], ia: NomeIa): string | null {
  if (!isSupported(ia)) return 'não existe nesta versão'
  const tarefas = ia === 'epi' ? ['objetos', 'epi'] : [entryOf(ia).modelo]
  const unusable = models.find(({ tarefa, motivo }) => tarefas.some((one) => one === tarefa) && motivo !== null)
  return unusable ? `indisponível: ${unusable.motivo}` : null
}
