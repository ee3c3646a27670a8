import { VigiaError } from '@vigia/contracts/errors'
import type { Caixa, Decisao } from '@vigia/contracts/eventos'
import { type Box, intersection, iou } from './boxes.ts'
import { interchangeable } from './coco-labels.ts'
import type { Detection } from './detection.ts'
import { createDetector } from './detector.ts'
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

export interface Opinion {
  readonly decisao: Decisao
  /** Of the decision: what the second model saw there when it confirms, what is missing to 1 when it refutes. */
  readonly confianca: number
  /** Portuguese sentence for the person who reads the alert. */
  readonly motivo: string
}

export interface SecondOpinion {
  /** Registry id of the model. */
  readonly id: string
  /** What the model can see. About other labels it has no opinion. */
  readonly labels: ReadonlySet<string>
  /**
   * Looks at the place of the alarm again, larger than the first model saw it. Throws VigiaError `validacao` when the picture
   * cannot be decoded, and `interno` when the model knows none of the labels: neither is a verdict.
   */
  assess(candidate: Candidate): Promise<Opinion>
  close(): Promise<void>
}

/**
 * A person (vehicle, …) stands there when the second model says so with this confidence. Chosen on footage: of the true alarms of
 * the first model (608) none was refuted, of its false ones 98 % were (README, "Second opinion"). A missed alarm is worse than a false one.
 */
const CONFIRM = 0.15
/** However little the calibration asks of the first model, this much is asked of the second. */
const LEAST = 0.1
/** Below this nothing is reported as the highest value seen. */
const FLOOR = 0.02
/** How much of the surroundings the second model is shown. */
const CONTEXT = { factor: 2, minSide: 64 }
/** An alarm with more boxes than this is judged by its most confident ones: it is enough that one is real. */
const MAX_BOXES = 8
/** The two models draw boxes differently: the upper body is enough where the other drew all of it; a hand is not. */
const SAME_PLACE_IOU = 0.3
const SAME_PLACE_AREA = 0.2
const SAME_PLACE_COVER = 0.6

/** Loads the second model. Throws VigiaError `interno` when its file cannot be used. */
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

  async function bestSight({ frame, crop, caixas, rotulos }: Candidate): Promise<number> {
    const picture = await openPicture(frame ?? crop)
    const boxes = caixas
      .filter(({ rotulo, w, h }) => rotulos.includes(rotulo) && w > 0 && h > 0)
      .toSorted((a, b) => b.confianca - a.confianca)
      .slice(0, MAX_BOXES)
    if (!frame || boxes.length === 0) {
      // The boxes are fractions of a frame that is not there: what was cut out must show it anywhere.
      const all = { left: 0, top: 0, width: picture.width, height: picture.height }
      return look(picture, all, rotulos, () => true)
    }
    let best = 0
    for (const box of boxes) {
      const labels = rotulos.filter((label) => interchangeable(label, box.rotulo))
      const region = surroundings(box, picture, CONTEXT)
      best = Math.max(best, await look(picture, region, labels, (found) => samePlace(box, found)))
    }
    return best
  }

  return {
    id: detector.id,
    labels: known,
    async assess(candidate) {
      if (!candidate.rotulos.some((label) => known.has(label))) {
        const what = labelNames(candidate.rotulos)
        throw new VigiaError('interno', { detalhe: `O segundo modelo não reconhece ${what}. Use outro verificador.` })
      }
      const seen = await bestSight(candidate)
      // Where the installer asks for less of the first model, the second must not ask for more.
      const confirmed = seen >= Math.max(LEAST, Math.min(CONFIRM, candidate.conf))
      // Rounded down, as everywhere in the product: 100% is claimed by nothing less.
      const percent = `${Math.floor(seen * 100 + 1e-9)}%`
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

/** Whether two boxes are about one object: they overlap well, or one of like size lies in the other under the same middle. */
function samePlace(a: Box, b: Box): boolean {
  if (iou(a, b) >= SAME_PLACE_IOU) return true
  const [smaller = 0, larger = 0] = [a.w * a.h, b.w * b.h].sort((left, right) => left - right)
  if (smaller < larger * SAME_PLACE_AREA) return false
  const sameMiddle = Math.abs(a.x + a.w / 2 - b.x - b.w / 2) < a.w / 2
  return sameMiddle && intersection(a, b) >= smaller * SAME_PLACE_COVER
}
