import type { Classified, ClassifiedRegion } from '@vigia/ias/judging'
import { judgedBoxes } from '@vigia/ias/judging'
import { createClassifier } from './classifier.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture } from './picture.ts'
import { cropContext } from './rescoring.ts'
import type { SecondModel } from './second-model.ts'
import type { SessionOptions } from './session.ts'
import { surroundings } from './surroundings.ts'

/** Runs a classifier on the boxes of an alarm. Throws VigiaError `interno` for an unusable model. */
export async function createSecondClassifier(
  manifest: ModelManifest,
  options: SessionOptions = {},
): Promise<SecondModel<Classified>> {
  const classifier = await createClassifier(manifest, options)
  return {
    async inspect({ frame, crop, caixas }, { rotulos }) {
      const picture = await openPicture(frame ?? crop)
      const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
      const classify = async (region: typeof whole) => classifier.classify(await picture.cut(region, classifier.input))
      // The boxes are fractions of the frame, so they are unusable without it.
      const boxes = frame ? judgedBoxes(caixas, rotulos) : []
      const regions: ClassifiedRegion[] = []
      for (const box of boxes) {
        const first = { rotulo: box.rotulo, confianca: box.confianca }
        regions.push({ first, seen: await classify(surroundings(box, picture, cropContext)) })
      }
      if (regions.length === 0) regions.push({ first: null, seen: await classify(whole) })
      return { kind: 'classified', modelo: classifier.id, regions }
    },
    close: () => classifier.close(),
  }
}
