import type { TarefaModelo } from '@vigia/contracts/ias'
import { matchBoxes } from './average-precision.ts'
import type { StillSet } from './data-set.ts'
import type { ShownStill } from './show-still.ts'

/** Detections of one class with a confidence in one range, over all sets that label the class. */
export interface CalibrationRow {
  readonly tarefa: TarefaModelo
  readonly rotulo: string
  /** Range of the confidence: `de` included, `ate` excluded. */
  readonly de: number
  readonly ate: number
  readonly achados: number
  /** Detections that cover a label (IoU 0.5). */
  readonly certos: number
}

/** Lower limits of the ranges; the model's weaker detections are no evidence. */
const FROM = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

/** The calibration curve of each detector: how often a detection of a confidence is right. Without empty ranges. */
export function calibrationCurves(
  sets: readonly StillSet[],
  examined: ReadonlyMap<string, ShownStill>,
): CalibrationRow[] {
  const classes = new Map(sets.flatMap((set) => set.classes.map((one) => [`${one.tarefa} ${one.rotulo}`, one])))
  return [...classes.values()].flatMap(({ tarefa, rotulo }) => {
    const judged = sets
      .filter((set) => set.classes.some((one) => one.tarefa === tarefa && one.rotulo === rotulo))
      .flatMap(({ stills }) => stills)
      .flatMap(({ path, boxes }) => {
        const found = examined.get(path)?.found[tarefa]?.filter((one) => one.rotulo === rotulo) ?? []
        const labels = boxes.filter(({ product }) => product.tarefa === tarefa && product.rotulo === rotulo)
        return matchBoxes({ labels: labels.map(({ box }) => box), found }, 0.5)
      })
    return FROM.flatMap((de, index) => {
      const ate = FROM[index + 1] ?? Number.POSITIVE_INFINITY
      const inside = judged.filter(({ box }) => box.confianca >= de && box.confianca < ate)
      const certos = inside.filter(({ label }) => label !== null).length
      return inside.length === 0 ? [] : [{ tarefa, rotulo, de, ate, achados: inside.length, certos }]
    })
  })
}
