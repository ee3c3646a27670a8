import { VigiaError } from '@vigia/contracts/errors'
import type { Detection } from '@vigia/ias/detection'
import { type Box, intersection, iou } from '@vigia/ias/geometry'
import { type Detected, type Question, tellingBoxes } from '@vigia/ias/judging'
import { labelNames } from '@vigia/ias/label-names'
import { interchangeable, things } from './coco-labels.ts'
import { createDetector } from './detector.ts'
import { mistakenFor } from './from-above.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture, type Picture } from './picture.ts'
import { type AlarmPictures, MIN_SIDE, type SecondModel } from './second-model.ts'
import type { SessionOptions } from './session.ts'
import { type Region, surroundings, toFrame } from './surroundings.ts'

/** Below this nothing is reported as the highest value seen. */
const FLOOR = 0.02
/** The two models draw boxes differently: the upper body is enough where the other drew all of it; a hand is not. */
const SAME_PLACE_IOU = 0.3
const SAME_PLACE_AREA = 0.2
const SAME_PLACE_COVER = 0.6

/** A vehicle from above that this model, too, takes for a thing (from-above.ts) must be clearly one: the place is full of things. */
const SURE_THING = 0.4

/**
 * A detector at the places of an alarm, larger than the first model saw them. Throws VigiaError `interno` when its file cannot be used, and
 * `look` when it knows none of the labels.
 */
export async function createSecondDetector(
  manifest: ModelManifest,
  options: SessionOptions = {},
): Promise<SecondModel<Detected>> {
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

  /** By place, most confident alarm first. */
  async function sights({ frame, crop, caixas }: AlarmPictures, { rotulos, factors }: Question): Promise<number[]> {
    const picture = await openPicture(frame ?? crop)
    const boxes = tellingBoxes(caixas, rotulos)
    if (!frame || boxes.length === 0) {
      // The boxes are fractions of a frame that is not there: what was cut out must show it anywhere.
      const all = { left: 0, top: 0, width: picture.width, height: picture.height }
      return [await look(picture, all, rotulos, () => true)]
    }
    const seen: number[] = []
    for (const box of boxes) {
      const labels = [...rotulos.filter((label) => alike(label, box.rotulo)), ...mistakenFor(box)]
      const counts = (found: Detection) =>
        samePlace(box, found) && (!things.has(found.rotulo) || found.confianca >= SURE_THING)
      let best = 0
      for (const factor of factors) {
        const region = surroundings(box, picture, { factor, minSide: MIN_SIDE })
        best = Math.max(best, await look(picture, region, labels, counts))
      }
      seen.push(best)
    }
    return seen
  }

  return {
    async look(pictures, question) {
      if (!question.rotulos.some((label) => known.has(label))) {
        const what = labelNames(question.rotulos)
        throw new VigiaError('interno', { detalhe: `O segundo modelo não reconhece ${what}. Use outro verificador.` })
      }
      return { kind: 'detected', modelo: detector.id, seen: await sights(pictures, question) }
    },
    close: () => detector.close(),
  }
}

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
