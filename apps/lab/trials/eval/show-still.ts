import { readFile } from 'node:fs/promises'
import type { CameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS, type SeenEvent } from '@vigia/analysis/model'
import type { OnFound, OnTracks } from '@vigia/analysis/model-stage'
import type { DetalhesIa } from '@vigia/contracts/candidate'
import { ia as entryOf, type NomeIa } from '@vigia/contracts/ias'
import type { Detection } from '@vigia/ias/detection'
import { openStill } from '@vigia/video/testing/still'
import { type TarefaVisao, tarefasVisao } from '@vigia/vision/manifest'
import { mergeInferences } from '@vigia/vision/merge-inferences'
import type { Judge, VideoEvent } from './analyse-video.ts'
import { benchOf } from './benches.ts'
import { type Luz, lightOf } from './picture-light.ts'

/** Result of one picture. */
export interface ShownStill {
  readonly heightPx: number
  readonly luz: Luz
  /**
   * Detections of all inferences, each object once. `[]`: no object, or the pipeline requested no inference. Tasks
   * without an IA are left out.
   */
  readonly found: Partial<Record<TarefaVisao, readonly Detection[]>>
  /** The enabled IAs among those that single pictures can test. */
  readonly asked: readonly NomeIa[]
  /** Candidates; a refuted one is no event. */
  readonly raised: readonly {
    readonly ia: NomeIa
    readonly detalhes: DetalhesIa
    readonly decisao: VideoEvent['decisao']
  }[]
}

export type CreatePipeline = (
  onEvents: (events: readonly SeenEvent[]) => void,
  onFound?: OnFound,
  onTracks?: OnTracks,
) => CameraPipeline

/** IAs for which data sets label single pictures. */
const isAsked = (ia: NomeIa) => benchOf(ia).pictures !== undefined

/** Frames per picture: 8 s, enough for the 15 inferences that smoke needs, the largest number of these IAs. */
export const SHOWN_FRAMES = 40
const FRAME_MS = 1000 / ANALYSED_FPS

/** Side of the picture whose light is measured: its shape does not matter. */
const LIGHT_PX = 64

/** Any day works, because without an Agenda it has no effect. */
const BEGINNING = Date.UTC(2026, 0, 1)

/**
 * Shows the picture in this file to a new pipeline as a still scene of SHOWN_FRAMES identical frames. null: the picture
 * is unreadable.
 * @param ias that the pipeline runs
 */
export async function showStill(
  path: string,
  ias: readonly NomeIa[],
  createPipeline: CreatePipeline,
  judge: Judge,
): Promise<ShownStill | null> {
  const still = await openStill(await readFile(path))
  if (!still) return null
  const heightPx = still.frame.height
  const luz = lightOf({ rgb: await still.frame.toPacked('rgb', LIGHT_PX, LIGHT_PX) })
  const events: SeenEvent[] = []
  const inferences = new Map<TarefaVisao, Detection[][]>(tasksOf(ias).map((tarefa) => [tarefa, []]))
  const pipeline = createPipeline(
    (some) => events.push(...some),
    (tarefa, found) => inferences.get(tarefa)?.push([...found]),
  )
  try {
    for (let shown = 0; shown < SHOWN_FRAMES; shown++) {
      const streamMs = shown * FRAME_MS
      await pipeline.frame(still.frame, { epochMs: BEGINNING + streamMs, streamMs })
      await pipeline.idle()
    }
  } finally {
    await pipeline.close()
    await still.release()
  }
  const raised: ShownStill['raised'][number][] = []
  for (const event of events) {
    const { ia, detalhes = {} } = event.candidate
    if (!isAsked(ia)) continue
    const { decisao } = await judge.judge(event)
    raised.push({ ia, detalhes, decisao })
  }
  return {
    heightPx,
    luz,
    found: Object.fromEntries([...inferences].map(([tarefa, each]) => [tarefa, merged(each)])),
    asked: ias.filter(isAsked),
    raised,
  }
}

/** The pipeline merges the inferences of one frame in the same way. */
const merged = (inferences: readonly (readonly Detection[])[]): Detection[] =>
  mergeInferences(inferences.map((detections) => ({ region: null, detections })))

/** Tasks of the models that these IAs need. */
const tasksOf = (ias: readonly NomeIa[]): TarefaVisao[] => {
  const tasks = new Set(ias.map((nome) => entryOf(nome).modelo))
  return tarefasVisao.filter((tarefa) => tasks.has(tarefa))
}
