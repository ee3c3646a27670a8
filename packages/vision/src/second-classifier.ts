import type { Classified } from '@vigia/ias/judging'
import { tellingBoxes } from '@vigia/ias/judging'
import { createClassifier } from './classifier.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture } from './picture.ts'
import { MIN_SIDE, type SecondModel } from './second-model.ts'
import type { SessionOptions } from './session.ts'
import { surroundings } from './surroundings.ts'

/** What was alarmed, seen with as much again around it, as the classifiers were trained. */
const context = { factor: 2, minSide: MIN_SIDE }

/** A classifier at the places of an alarm. Throws VigiaError `interno` when its file cannot be used. */
export async function createSecondClassifier(
  manifest: ModelManifest,
  options: SessionOptions = {},
): Promise<SecondModel<Classified>> {
  const classifier = await createClassifier(manifest, options)
  return {
    async look({ frame, crop, caixas }, { rotulos }) {
      const picture = await openPicture(frame ?? crop)
      const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
      const classify = async (region: typeof whole) => classifier.classify(await picture.cut(region, classifier.input))
      // Without the frame the boxes are fractions of nothing.
      const boxes = frame ? tellingBoxes(caixas, rotulos) : []
      const places: Classified['places'][number][] = []
      for (const box of boxes)
        places.push({ rotulo: box.rotulo, seen: await classify(surroundings(box, picture, context)) })
      if (places.length === 0) places.push({ rotulo: null, seen: await classify(whole) })
      return { kind: 'classified', modelo: classifier.id, places }
    },
    close: () => classifier.close(),
  }
}
