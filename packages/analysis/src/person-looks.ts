import type { Detection } from '@vigia/ias/detection'
import { epiEvidence } from '@vigia/ias/tasks/epi'
import type { Evidence } from '@vigia/ias/tasks/findings'
import { createPeopleRegions, type PersonRegion } from '@vigia/vision/people-regions'
import type { TarefaVisao } from '@vigia/vision/sight'
import type { Track } from '@vigia/vision/track-state'
import type { AnalysisSet } from './analyses.ts'
import { lookAt } from './look.ts'
import type { ModelWatchOptions, Scene } from './model-watch.ts'

/** A task whose model is shown single people, enlarged. */
interface PersonTask {
  readonly tarefa: TarefaVisao
  /** Shortest time between two looks, ms. */
  readonly everyMs: number
  /** Weaker detections say nothing either way. */
  readonly minConfidence: number
  /** By track; a track that is not in `plan` was not looked at and is not in the result. */
  findings(
    found: readonly Detection[],
    tracks: readonly Track[],
    plan: readonly PersonRegion[],
  ): ReadonlyMap<number, Evidence>
}

const personTasks: readonly PersonTask[] = [
  {
    tarefa: 'epi',
    // Nobody puts a helmet on and off within a second.
    everyMs: 400,
    minConfidence: 0.2,
    findings: (...seen) => new Map([...epiEvidence(...seen)].map(([id, epi]) => [id, { epi }])),
  },
]

type Models = Pick<ModelWatchOptions, 'sight' | 'onFound'>

export interface PersonLooks {
  /**
   * What the tasks that an armed analysis needs find on the people among `tracks`, by track.
   * @param spare enlarged looks that there is time for
   */
  look(scene: Scene, tracks: readonly Track[], spare: number): Promise<ReadonlyMap<number, Evidence>>
}

export function createPersonLooks(options: Models, analyses: Pick<AnalysisSet, 'armed'>): PersonLooks {
  const tasks = personTasks.map((task) => createTaskLook(task, options, analyses))
  return {
    async look(scene, tracks, spare) {
      const evidence = new Map<number, Evidence>()
      for (const task of tasks)
        for (const [id, found] of await task(scene, tracks, spare)) evidence.set(id, { ...evidence.get(id), ...found })
      return evidence
    },
  }
}

function createTaskLook(
  task: PersonTask,
  { sight, onFound }: Models,
  analyses: Pick<AnalysisSet, 'armed'>,
): PersonLooks['look'] {
  const { tarefa, everyMs, minConfidence, findings } = task
  const people = createPeopleRegions()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return async ({ frame, time, motion }, tracks, spare) => {
    const model = sight.model(tarefa)
    if (!model || time.streamMs - lookedAtMs < everyMs || !analyses.armed(time.epochMs, tarefa)) return new Map()
    lookedAtMs = time.streamMs
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
    const found = await lookAt(sight, tarefa, frame, regions, { minConfidence })
    onFound?.(tarefa, found)
    return findings(found, tracks, plan)
  }
}
