import type { NomeIa, TarefaModelo } from '@vigia/contracts/ias'
import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import { matchBoxes } from './average-precision.ts'
import type { StillSet } from './data-set.ts'
import { defaultConf } from './default-conf.ts'
import { type Luz, luzes, NOITE_ABAIXO, PENUMBRA_ABAIXO } from './picture-light.ts'
import type { ShownStill } from './show-still.ts'

/** Boxes of one kind of object in one stratum of pictures. */
export interface StratumResult {
  readonly grupo: string
  readonly faixa: string
  readonly rotulos: number
  readonly encontrados: number
  readonly achados: number
  readonly certos: number
}

interface Group {
  readonly grupo: string
  readonly tarefa: Exclude<TarefaModelo, 'placas'>
  /** Labels of one inner list are the same class. */
  readonly classes: readonly (readonly string[])[]
  /** The IA whose default `conf` is the threshold. */
  readonly ia: NomeIa
  /** Upper limits of the box height, in pixels of the picture. */
  readonly heightsPx: readonly number[]
}

const groups: readonly Group[] = [
  { grupo: 'pessoas', tarefa: 'objetos', classes: [['person']], ia: 'invasao', heightsPx: [24, 48, 96, 192] },
  {
    grupo: 'veículos',
    tarefa: 'objetos',
    classes: [['car', 'truck', 'bus', 'motorcycle', 'bicycle']],
    ia: 'veiculo',
    heightsPx: [24, 48, 96, 192],
  },
  { grupo: 'cabeças', tarefa: 'epi', classes: [['hardhat'], ['no_hardhat']], ia: 'epi', heightsPx: [12, 24, 48, 96] },
]

interface Stratum {
  readonly faixa: string
  has(heightPx: number, luz: Luz): boolean
}

function strataOf({ heightsPx }: Group): Stratum[] {
  const limits = [0, ...heightsPx, Number.POSITIVE_INFINITY]
  const sizes = heightsPx.concat(Number.POSITIVE_INFINITY).map((below, index): Stratum => {
    const from = limits[index] ?? 0
    const faixa = Number.isFinite(below) ? `altura ${from}–${below} px` : `altura ≥ ${from} px`
    return { faixa, has: (heightPx) => heightPx >= from && heightPx < below }
  })
  const words: Record<Luz, string> = {
    dia: `dia (luz ≥ ${PENUMBRA_ABAIXO})`,
    penumbra: `penumbra (luz ${NOITE_ABAIXO}–${PENUMBRA_ABAIXO})`,
    noite: `noite (luz < ${NOITE_ABAIXO})`,
    infravermelho: 'infravermelho (sem cor)',
  }
  return [...sizes, ...luzes.map((one): Stratum => ({ faixa: words[one], has: (_, luz) => luz === one }))]
}

interface Counted {
  readonly heightPx: number
  readonly luz: Luz
  readonly right: boolean
}

/**
 * Recall and precision of the boxes at the default threshold (IoU 0.5), by box height and by the light of the picture.
 * A label counts in the row of its own height, a detection in the row of the detection's height.
 */
export function summarizeStrata(sets: readonly StillSet[], examined: ReadonlyMap<string, ShownStill>): StratumResult[] {
  if (sets.length === 0) return []
  return groups.flatMap((group) => {
    const counts = { labels: [] as Counted[], found: [] as Counted[] }
    for (const { classes, stills } of sets) {
      for (const some of group.classes) {
        if (!classes.some(({ tarefa, rotulo }) => tarefa === group.tarefa && some.includes(rotulo))) continue
        for (const { path, boxes } of stills) {
          const still = examined.get(path)
          const found = still?.found[group.tarefa]
          if (!still || !found) continue
          const labels = boxes.filter(({ product }) => product.tarefa === group.tarefa && some.includes(product.rotulo))
          count(
            still,
            labels.map(({ box }) => box),
            confident(found, some, group.ia),
            counts,
          )
        }
      }
    }
    const rows = strataOf(group).map(({ faixa, has }) => {
      const inside = ({ heightPx, luz }: Counted) => has(heightPx, luz)
      const [labels, found] = [counts.labels.filter(inside), counts.found.filter(inside)]
      return {
        grupo: group.grupo,
        faixa,
        rotulos: labels.length,
        encontrados: labels.filter(({ right }) => right).length,
        achados: found.length,
        certos: found.filter(({ right }) => right).length,
      }
    })
    const filled = rows.filter(({ rotulos, achados }) => rotulos + achados > 0)
    const none = {
      grupo: group.grupo,
      faixa: 'nenhum conjunto os rotula',
      rotulos: 0,
      encontrados: 0,
      achados: 0,
      certos: 0,
    }
    return filled.length > 0 ? filled : [none]
  })
}

const confident = (found: readonly Detection[], rotulos: readonly string[], ia: NomeIa) =>
  found.filter(({ rotulo, confianca }) => rotulos.includes(rotulo) && confianca >= defaultConf(ia))

function count(
  { heightPx, luz }: ShownStill,
  labels: readonly Box[],
  found: readonly Detection[],
  counts: { labels: Counted[]; found: Counted[] },
): void {
  const matched = matchBoxes({ labels, found }, 0.5)
  const taken = new Set(matched.map(({ label }) => label))
  const counted = ({ h }: Box, right: boolean) => ({ heightPx: h * heightPx, luz, right })
  counts.labels.push(...labels.map((label) => counted(label, taken.has(label))))
  counts.found.push(...matched.map(({ box, label }) => counted(box, label !== null)))
}
