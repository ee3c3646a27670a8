import { ia as entryOf, type NomeIa, nomesIas, type TarefaModelo } from '@vigia/contracts/ias'
import { median } from '@vigia/testing/stats'
import {
  averagePrecision,
  averagePrecision5095,
  averagePrecisionInterval,
  type PictureBoxes,
  precisionRecall,
} from './average-precision.ts'
import { benchOf } from './benches.ts'
import type { StillSet } from './data-set.ts'
import { defaultConf } from './default-conf.ts'
import type { DetectorResult, IaResult, PictureResult, VideoResult } from './result.ts'
import type { ShownStill } from './show-still.ts'

/** One IA over all videos. `unusable`: reason why its model does not run; null: it runs. */
export function summarizeIa(ia: NomeIa, videos: readonly VideoResult[], unusable: string | null): IaResult {
  const scored = videos.flatMap(({ video, scores, failure }) =>
    scores
      .filter((score) => score.ia === ia && failure === null && unusable === null)
      .map((score) => ({ video, ...score })),
  )
  const telling = scored.filter(({ labels, judgedS }) => labels.length > 0 || judgedS > 0)
  const labels = telling.flatMap((score) => score.labels)
  const delays = labels.flatMap(({ delayS }) => (delayS === null ? [] : [delayS])).toSorted((a, b) => a - b)
  const falsos = sum(telling.map(({ falseEvents }) => falseEvents.length))
  const horas = sum(telling.map(({ judgedS }) => judgedS)) / 3600
  const [found, worst] = [delays.length, delays.at(-1)]
  return {
    ia,
    titulo: entryOf(ia).titulo,
    videos: telling.map(({ video }) => video),
    rotulos: labels.length,
    encontrados: found,
    revocacao: labels.length === 0 ? null : found / labels.length,
    precisao: labels.length === 0 || found + falsos === 0 ? null : found / (found + falsos),
    falsos,
    repetidos: sum(telling.map(({ repeated }) => repeated)),
    refutados: sum(telling.map(({ refuted }) => refuted)),
    horas,
    falsos_por_hora: horas === 0 ? null : falsos / horas,
    deteccao_s: worst === undefined ? null : { mediana: median(delays), pior: worst },
    nao_medido: unusable ?? unmeasured(labels.length, horas),
  }
}

function unmeasured(labels: number, hours: number): string | null {
  if (labels > 0) return null
  return hours > 0 ? 'sem rótulos de acerto: só falsos medidos' : 'sem rótulos'
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** One seed for all rows, so that a repeated measurement prints the same interval. */
const BOOTSTRAP_SEED = 20_261_123

/** The threshold at which the detector of a task is measured. */
function detectorConf(tarefa: TarefaModelo): number {
  const ia = nomesIas.find((nome) => entryOf(nome).modelo === tarefa && benchOf(nome).setsDetectorConf)
  if (!ia) throw new Error(`no IA sets the threshold of the detector ${tarefa}`)
  return defaultConf(ia)
}

/** Average precision, and precision and recall at the default threshold, for every class that the set labels. */
export function summarizeDetectors(set: StillSet, examined: ReadonlyMap<string, ShownStill>): DetectorResult[] {
  return set.classes.flatMap(({ tarefa, rotulo }) => {
    const pictures: PictureBoxes[] = []
    for (const { path, boxes } of set.stills) {
      const found = examined.get(path)?.found[tarefa]
      // A picture without an inference is not a picture without detections.
      if (!found) continue
      const labels = boxes.filter(({ product }) => product.tarefa === tarefa && product.rotulo === rotulo)
      pictures.push({ labels: labels.map(({ box }) => box), found: found.filter((one) => one.rotulo === rotulo) })
    }
    if (pictures.length === 0) return []
    const conf = detectorConf(tarefa)
    return {
      conjunto: set.name,
      tarefa,
      rotulo,
      imagens: pictures.length,
      rotulos: sum(pictures.map(({ labels }) => labels.length)),
      ap50: averagePrecision(pictures, 0.5),
      ap50_intervalo: averagePrecisionInterval(pictures, 0.5, BOOTSTRAP_SEED),
      ap50_95: averagePrecision5095(pictures),
      conf,
      ...precisionRecall(pictures, conf),
    }
  })
}

/** Questions about single pictures. Those about whole events precede those about single items. */
const questions = nomesIas
  .flatMap((ia) => (benchOf(ia).pictures ?? []).map((question) => ({ ia, ...question })))
  .toSorted((a, b) => Number(a.item !== null) - Number(b.item !== null))

/**
 * Pictures with a detection at the default threshold, and pictures that raise an event. A set with fire labels, or
 * under a folder of fires, leaves unlabelled fire unknown; every other set contains no fire. Missing items are known
 * only in a set that labels them.
 */
export function summarizePictures(set: StillSet, examined: ReadonlyMap<string, ShownStill>): PictureResult[] {
  return questions.flatMap(({ ia, item, rotulo, matches }) => {
    const { modelo } = entryOf(ia)
    const labelled = set.classes.some((one) => one.rotulo === rotulo)
    const knownEmpty =
      benchOf(ia).absentUnlabelled === 'outside_fires' &&
      !set.underFire &&
      set.classes.every(({ tarefa }) => tarefa !== modelo)
    if (!labelled && !knownEmpty) return []
    const judged = set.stills.flatMap((still) => {
      const seen = examined.get(still.path)
      if (!seen?.asked.includes(ia)) return []
      const mine = seen.raised.filter((one) => one.ia === ia && matches(one.detalhes))
      const raised = mine.some(({ decisao }) => decisao !== 'refutado')
      const found = modelo === null || modelo === 'placas' ? [] : (seen.found[modelo] ?? [])
      return {
        name: still.name,
        seen: found.some((one) => one.rotulo === rotulo && one.confianca >= defaultConf(ia)),
        raised,
        refuted: mine.length > 0 && !raised,
        positive: still.boxes.some(({ product }) => product.rotulo === rotulo),
        empty: still.boxes.every(({ product }) => product.tarefa !== modelo),
      }
    })
    if (judged.length === 0) return []
    const names = (some: typeof judged) => some.map(({ name }) => name)
    return {
      conjunto: set.name,
      ia,
      item,
      imagens: judged.length,
      positivas: judged.filter(({ positive }) => positive).length,
      vistas: judged.filter(({ positive, seen }) => positive && seen).length,
      vistas_sem: names(judged.filter(({ positive, seen }) => !positive && seen)),
      nao_vistas: names(judged.filter(({ positive, seen }) => positive && !seen)),
      encontradas: judged.filter(({ positive, raised }) => positive && raised).length,
      refutadas: judged.filter(({ refuted }) => refuted).length,
      falsas: names(judged.filter(({ positive, raised }) => !positive && raised)),
      vazias: judged.filter(({ empty }) => empty).length,
      falsas_vazias: names(judged.filter(({ empty, raised }) => empty && raised)),
    }
  })
}
