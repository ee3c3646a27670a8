import type { Detection } from '@vigia/ias/detection'
import { epiEvidence } from '@vigia/ias/tasks/epi'
import type { Evidence } from '@vigia/ias/tasks/findings'
import type { TarefaVisao } from '@vigia/vision/model-runner'
import { createPeopleRegions, type PersonRegion } from '@vigia/vision/people-regions'
import type { Track } from '@vigia/vision/track-state'
import type { AnalysisSet } from './analyses.ts'
import { runInference } from './inference.ts'
import type { Scene, StageOptions } from './model-stage.ts'

/** A task whose model receives enlarged pictures of single people. */
interface PersonTask {
  readonly tarefa: TarefaVisao
  /** Shortest time between two inferences. */
  readonly everyMs: number
  /** Weaker detections are no evidence. */
  readonly minConfidence: number
  /** Evidence by track; only tracks in `plan` are in the result. */
  findings(
    found: readonly Detection[],
    tracks: readonly Track[],
    plan: readonly PersonRegion[],
  ): ReadonlyMap<number, Evidence>
}

const personTasks: readonly PersonTask[] = [
  {
    tarefa: 'epi',
    // A helmet does not change within a second.
    everyMs: 400,
    minConfidence: 0.2,
    findings: (...seen) => new Map([...epiEvidence(...seen)].map(([id, epi]) => [id, { epi }])),
  },
]

type Models = Pick<StageOptions, 'runner' | 'onFound'>

export interface PersonInferences {
  /**
   * Evidence of the tasks that an armed analysis needs, for the people among `tracks`, by track.
   * @param spare number of enlarged regions that there is time for
   */
  run(scene: Scene, tracks: readonly Track[], spare: number): Promise<ReadonlyMap<number, Evidence>>
}

export function createPersonInferences(options: Models, analyses: Pick<AnalysisSet, 'armed'>): PersonInferences {
  const tasks = personTasks.map((task) => createTaskInference(task, options, analyses))
  return {
    async run(scene, tracks, spare) {
      const evidence = new Map<number, Evidence>()
      for (const task of tasks)
        for (const [id, found] of await task(scene, tracks, spare)) evidence.set(id, { ...evidence.get(id), ...found })
      return evidence
    },
  }
}

function createTaskInference(
  task: PersonTask,
  { runner, onFound }: Models,
  analyses: Pick<AnalysisSet, 'armed'>,
): PersonInferences['run'] {
  const { tarefa, everyMs, minConfidence, findings } = task
  const people = createPeopleRegions()
  let ranAtMs = Number.NEGATIVE_INFINITY
  return async ({ frame, time, motion }, tracks, spare) => {
    const model = runner.model(tarefa)
    if (!model || time.streamMs - ranAtMs < everyMs || !analyses.armed(time.epochMs, tarefa)) return new Map()
    ranAtMs = time.streamMs
    const plan = people.plan({
      frame,
      input: model.input,
      motion: motion.regions,
      tracks: tracks.filter(({ rotulo, predicted }) => rotulo === 'person' && !predicted),
      atMs: time.streamMs,
      budget: Math.max(1, spare),
    })
    const regions = [...new Set(plan.map(({ region }) => region))]
    if (regions.length === 0) return new Map()
    const found = await runInference(runner, tarefa, frame, regions, { minConfidence })
    onFound?.(tarefa, found)
    return findings(found, tracks, plan)
  }
}
