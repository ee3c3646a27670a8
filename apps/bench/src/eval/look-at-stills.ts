import { readFile } from 'node:fs/promises'
import { lookAt } from '@vigia/analysis/look'
import { createStillExam } from '@vigia/analysis/still'
import { ia as entryOf, type NomeIa } from '@vigia/contracts/ias'
import type { Detection } from '@vigia/ias/detection'
import { openStill } from '@vigia/video/still'
import type { Sight, TarefaVisao } from '@vigia/vision/sight'
import type { Look } from './result.ts'
import type { Judge, VideoEvent } from './watch-video.ts'

/** What the product sees in one picture. */
export interface ExaminedStill {
  /** Every detection down to a floor, by how was looked; a model that did not look is missing. */
  readonly detections: Readonly<Record<Look, Partial<Record<TarefaVisao, readonly Detection[]>>>>
  /** IAs that looked. */
  readonly asked: readonly NomeIa[]
  /** Candidates; refuted ones are no events. */
  readonly raised: readonly {
    readonly ia: NomeIa
    readonly faltam: readonly ('capacete' | 'colete')[]
    readonly decisao: VideoEvent['decisao']
  }[]
}

/** IAs of which single pictures are judged. */
const ASKED: ReadonlySet<NomeIa> = new Set(['fogo', 'fumaca', 'epi'])
/** Far below every threshold: the end of the precision-recall curve. */
const FLOOR = 0.02

/** Examines the picture in this file with the models of `tarefas` that are usable. null: it is no picture that can be read. */
export async function examineStill(
  path: string,
  tarefas: ReadonlySet<TarefaVisao>,
  sight: Sight,
  judge: Judge,
): Promise<ExaminedStill | null> {
  const still = await openStill(await readFile(path))
  if (!still) return null
  const { frame } = still
  const usable = [...tarefas].filter((tarefa) => sight.model(tarefa) !== null)
  try {
    const found = await createStillExam({ sight, tarefas: new Set(usable), minConfidence: FLOOR }).exam(frame)
    const byTask = (of: (tarefa: TarefaVisao) => readonly Detection[]) =>
      Object.fromEntries(usable.map((tarefa) => [tarefa, of(tarefa)]))
    const whole = usable.includes('epi') ? await lookAt(sight, 'epi', frame, [null], { minConfidence: FLOOR }) : []
    const raised: ExaminedStill['raised'][number][] = []
    for (const event of found.events) {
      // Of the others no data set has labels.
      const { ia, detalhes } = event.candidate
      if (!ASKED.has(ia)) continue
      const { decisao } = await judge.judge(event)
      raised.push({ ia, faltam: detalhes?.faltam ?? [], decisao })
    }
    return {
      detections: {
        // The other two look at the whole picture in the product as well.
        imagem: byTask((tarefa) => (tarefa === 'epi' ? whole : found[tarefa])),
        produto: byTask((tarefa) => found[tarefa]),
      },
      asked: [...ASKED].filter((ia) => usable.some((tarefa) => tarefa === entryOf(ia).modelo)),
      raised,
    }
  } finally {
    await still.release()
  }
}
