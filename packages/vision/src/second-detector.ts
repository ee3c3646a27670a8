import { VigiaError } from '@vigia/contracts/errors'
import type { Detection } from '@vigia/ias/detection'
import { type Box, intersection, iou } from '@vigia/ias/geometry'
import { type Detected, type DetectedRegion, judgedBoxes, type Question } from '@vigia/ias/judging'
import { labelNames } from '@vigia/ias/label-names'
import { interchangeable, things } from './coco-labels.ts'
import { measureCut } from './cut-quality.ts'
import { createDetector } from './detector.ts'
import { mistakenFor } from './from-above.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture, type Picture } from './picture.ts'
import { type AlarmPictures, MIN_SIDE, type SecondModel } from './second-model.ts'
import type { SessionOptions } from './session.ts'
import { type Region, surroundings, toFrame } from './surroundings.ts'

/** Minimum confidence requested from the detector. */
const FLOOR = 0.02
/** Side of the region whose quality is measured, as a multiple of the box's longer side. */
const MEASURED_FACTOR = 2
/** The boxes of the two models differ: the upper body matches a whole person, a hand does not. */
const SAME_PLACE_IOU = 0.3
const SAME_PLACE_AREA = 0.2
const SAME_PLACE_COVER = 0.6

/** Minimum confidence of a thing that confirms a vehicle from above (from-above.ts): other things are common. */
const SURE_THING = 0.4

/**
 * Runs a detector on the boxes of an alarm, larger than for the first model. Throws VigiaError `interno` for an
 * unusable model; `inspect` throws it when the model knows none of the labels.
 */
export async function createSecondDetector(
  manifest: ModelManifest,
  options: SessionOptions = {},
): Promise<SecondModel<Detected>> {
  const detector = await createDetector(manifest, options)
  const known = new Set(manifest.rotulos)

  /** Highest confidence of the detections with one of `labels` that `matches` accepts. */
  async function highestConfidence(
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

  /** One finding per box, in the order of `judgedBoxes`. */
  async function findings(
    { frame, crop, caixas }: AlarmPictures,
    { rotulos, factors }: Question,
  ): Promise<DetectedRegion[]> {
    const picture = await openPicture(frame ?? crop)
    const boxes = judgedBoxes(caixas, rotulos)
    if (!frame || boxes.length === 0) {
      // Without the frame the position is unknown: a detection anywhere in the crop counts.
      const all = { left: 0, top: 0, width: picture.width, height: picture.height }
      const seen = [await highestConfidence(picture, all, rotulos, () => true)]
      return [{ first: null, seen, quality: await measureCut(picture, all) }]
    }
    const found: DetectedRegion[] = []
    for (const box of boxes) {
      const labels = [...rotulos.filter((label) => alike(label, box.rotulo)), ...mistakenFor(box)]
      const counts = (one: Detection) => samePlace(box, one) && (!things.has(one.rotulo) || one.confianca >= SURE_THING)
      const regionOf = (factor: number) => surroundings(box, picture, { factor, minSide: MIN_SIDE })
      const seen: number[] = []
      for (const factor of factors) seen.push(await highestConfidence(picture, regionOf(factor), labels, counts))
      const quality = await measureCut(picture, regionOf(MEASURED_FACTOR))
      found.push({ first: { rotulo: box.rotulo, confianca: box.confianca }, seen, quality })
    }
    return found
  }

  return {
    async inspect(pictures, question) {
      if (!question.rotulos.some((label) => known.has(label))) {
        const what = labelNames(question.rotulos)
        throw new VigiaError('interno', {
          detalhe: `O modelo da verificação não reconhece ${what}. Use outro verificador.`,
        })
      }
      return { kind: 'detected', modelo: detector.id, regions: await findings(pictures, question) }
    },
    close: () => detector.close(),
  }
}

/** Networks confuse kinds of bags. */
const bags: ReadonlySet<string> = new Set(['backpack', 'handbag', 'suitcase'])
const alike = (a: string, b: string) => interchangeable(a, b) || (bags.has(a) && bags.has(b))

/**
 * Whether two boxes show one object: they overlap well, or one of similar size lies in the other with about the same
 * middle.
 */
function samePlace(a: Box, b: Box): boolean {
  if (iou(a, b) >= SAME_PLACE_IOU) return true
  const [smaller = 0, larger = 0] = [a.w * a.h, b.w * b.h].sort((left, right) => left - right)
  if (smaller < larger * SAME_PLACE_AREA) return false
  const sameMiddle = Math.abs(a.x + a.w / 2 - b.x - b.w / 2) < a.w / 2
  return sameMiddle && intersection(a, b) >= smaller * SAME_PLACE_COVER
}
