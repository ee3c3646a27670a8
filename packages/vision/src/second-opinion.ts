import { VigiaError } from '@vigia/contracts/errors'
import type { Caixa, Decisao } from '@vigia/contracts/eventos'
import type { Detection } from '@vigia/ias/detection'
import { type Box, intersection, iou } from '@vigia/ias/geometry'
import { interchangeable, things } from './coco-labels.ts'
import { createDetector } from './detector.ts'
import { mistakenFor } from './from-above.ts'
import { labelNames } from './label-names.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture, type Picture } from './picture.ts'
import type { SessionOptions } from './session.ts'
import { type Region, surroundings, toFrame } from './surroundings.ts'

export interface Candidate {
  /** Whole frame, JPEG; null when only the crop is left. */
  readonly frame: Buffer | null
  /** Cut-out of the object, JPEG. */
  readonly crop: Buffer
  /** What the edge saw, in fractions of the whole frame. */
  readonly caixas: readonly Caixa[]
  /** Labels that the IA accepts. */
  readonly rotulos: readonly string[]
  /** Confidence that the camera's calibration asks of the first model, 0–1. */
  readonly conf: number
}

/** How hard to look, and what it takes to confirm. */
export interface Demand {
  /** Confidence with which the second model must see it, 0–1. */
  readonly confirm: number
  /** Fraction of the boxes that must be real; 0: one is enough. */
  readonly share: number
  /** Sides of the places that are looked at, as multiples of the box's longer side. */
  readonly factors: readonly number[]
}

export interface Opinion {
  readonly decisao: Decisao
  /** Of the decision: what the second model saw there when it confirms, what is missing to 1 when it refutes. */
  readonly confianca: number
  /** Portuguese sentence for the person who reads the alert. */
  readonly motivo: string
}

/** One model's judgement of one kind of alarm. */
export interface Judge {
  /** Registry id of the model. */
  readonly id: string
  /** Throws VigiaError `validacao` when the picture cannot be decoded: that is no verdict. */
  assess(candidate: Candidate): Promise<Opinion>
  close(): Promise<void>
}

export interface SecondOpinion extends Judge {
  /** What the model can see. About other labels it has no opinion. */
  readonly labels: ReadonlySet<string>
  /**
   * Looks at the place of the alarm again, larger than the first model saw it. Throws as `Judge.assess` does, and VigiaError `interno`
   * when the model knows none of the labels: neither is a verdict.
   */
  assess(candidate: Candidate, demand?: Demand): Promise<Opinion>
}

/**
 * A person (vehicle, …) stands there when the second model says so with a confidence of 0.15, seen with as much again around it. Chosen on
 * footage: of the true alarms of the first model (608) none was refuted, of its false ones 98 % were (README, "Second opinion"). A missed
 * alarm is worse than a false one.
 */
export const usualDemand: Demand = { confirm: 0.15, share: 0, factors: [2] }
/** However little the calibration asks of the first model, this much is asked of the second. */
const LEAST = 0.1
/** Below this nothing is reported as the highest value seen. */
const FLOOR = 0.02
/** The second model is shown at least this many pixels a side: below, there is nothing to see but enlarged blur. */
const MIN_SIDE = 64
/** What was alarmed, seen with as much again around it, as the classifiers were trained. */
export const classifiedContext = { factor: 2, minSide: MIN_SIDE }
/** An alarm with more boxes than this is judged by its most confident ones: it is enough that one is real. */
const MAX_BOXES = 8
/** The two models draw boxes differently: the upper body is enough where the other drew all of it; a hand is not. */
const SAME_PLACE_IOU = 0.3
const SAME_PLACE_AREA = 0.2
const SAME_PLACE_COVER = 0.6

/** A vehicle from above that this model, too, takes for a thing (from-above.ts) must be clearly one: the place is full of things. */
const SURE_THING = 0.4

/** Loads the second model, a detector. Throws VigiaError `interno` when its file cannot be used. */
export async function createSecondOpinion(
  manifest: ModelManifest,
  options: SessionOptions = {},
): Promise<SecondOpinion> {
  const detector = await createDetector(manifest, options)
  const known = new Set(manifest.rotulos)

  /** Highest confidence with which the model sees one of `labels` where `matches` says it counts. */
  async function look(
    picture: Picture,
    region: Region,
    labels: readonly string[],
    matches: (found: Detection) => boolean,
  ): Promise<number> {
    const packed = await picture.cut(region, detector.input)
    const found = await detector.detect(packed, { minConfidence: FLOOR, labels })
    const counting = found.map((detection) => toFrame(detection, region, picture)).filter(matches)
    return Math.max(0, ...counting.map(({ confianca }) => confianca))
  }

  /** The confidence with which as many boxes as must be real were seen at least. */
  async function sightOf({ frame, crop, caixas, rotulos }: Candidate, { share, factors }: Demand): Promise<number> {
    const picture = await openPicture(frame ?? crop)
    const boxes = tellingBoxes(caixas, rotulos)
    if (!frame || boxes.length === 0) {
      // The boxes are fractions of a frame that is not there: what was cut out must show it anywhere.
      const all = { left: 0, top: 0, width: picture.width, height: picture.height }
      return look(picture, all, rotulos, () => true)
    }
    const sights: number[] = []
    for (const box of boxes) {
      const labels = [...rotulos.filter((label) => alike(label, box.rotulo)), ...mistakenFor(box)]
      const counts = (found: Detection) =>
        samePlace(box, found) && (!things.has(found.rotulo) || found.confianca >= SURE_THING)
      let best = 0
      for (const factor of factors) {
        const region = surroundings(box, picture, { factor, minSide: MIN_SIDE })
        best = Math.max(best, await look(picture, region, labels, counts))
      }
      sights.push(best)
    }
    const needed = Math.max(1, Math.ceil(boxes.length * share))
    return sights.toSorted((a, b) => b - a)[needed - 1] ?? 0
  }

  return {
    id: detector.id,
    labels: known,
    async assess(candidate, demand = usualDemand) {
      if (!candidate.rotulos.some((label) => known.has(label))) {
        const what = labelNames(candidate.rotulos)
        throw new VigiaError('interno', { detalhe: `O segundo modelo não reconhece ${what}. Use outro verificador.` })
      }
      const seen = await sightOf(candidate, demand)
      // Where the installer asks for less of the first model, the second must not ask for more.
      const confirmed = seen >= Math.min(demand.confirm, Math.max(LEAST, candidate.conf))
      const percent = percentOf(seen)
      const what = labelNames(candidate.rotulos)
      return confirmed
        ? { decisao: 'confirmado', confianca: seen, motivo: `Segundo modelo viu ${what} no mesmo lugar (${percent}).` }
        : {
            decisao: 'refutado',
            confianca: 1 - seen,
            motivo: `Segundo modelo não viu ${what} na região do alerta (máximo ${percent}).`,
          }
    },
    close: () => detector.close(),
  }
}

/** The boxes that an alarm with these labels is about, the most confident first, as many as are looked at. */
export const tellingBoxes = (caixas: readonly Caixa[], rotulos: readonly string[]): Caixa[] =>
  caixas
    .filter(({ rotulo, w, h }) => rotulos.includes(rotulo) && w > 0 && h > 0)
    .toSorted((a, b) => b.confianca - a.confianca)
    .slice(0, MAX_BOXES)

/** `83%`, rounded down, as everywhere in the product: 100% is claimed by nothing less. */
export const percentOf = (value: number): string => `${Math.floor(value * 100 + 1e-9)}%`

/** What one network calls a backpack is a handbag to the next. */
const bags: ReadonlySet<string> = new Set(['backpack', 'handbag', 'suitcase'])
const alike = (a: string, b: string) => interchangeable(a, b) || (bags.has(a) && bags.has(b))

/** Whether two boxes are about one object: they overlap well, or one of like size lies in the other under the same middle. */
function samePlace(a: Box, b: Box): boolean {
  if (iou(a, b) >= SAME_PLACE_IOU) return true
  const [smaller = 0, larger = 0] = [a.w * a.h, b.w * b.h].sort((left, right) => left - right)
  if (smaller < larger * SAME_PLACE_AREA) return false
  const sameMiddle = Math.abs(a.x + a.w / 2 - b.x - b.w / 2) < a.w / 2
  return sameMiddle && intersection(a, b) >= smaller * SAME_PLACE_COVER
}
