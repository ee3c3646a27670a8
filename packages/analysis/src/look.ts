import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { DetectOptions } from '@vigia/vision/detector'
import { mergeInferences } from '@vigia/vision/merge-inferences'
import type { Sight, TarefaVisao } from '@vigia/vision/sight'
import { fitPicture } from './fitted-picture.ts'

/**
 * Looks at a frame with the model of `tarefa`: at all of it (null) and at the regions (fractions of the frame), which are shown to it
 * enlarged. What several looks saw is one detection; boxes in fractions of the frame, most confident first. Rejects when the
 * model is not usable: a frame that could not be looked at is not one in which nothing was seen.
 */
export async function lookAt(
  sight: Sight,
  tarefa: TarefaVisao,
  frame: VideoFrame,
  regions: readonly (Box | null)[],
  options: DetectOptions,
): Promise<Detection[]> {
  const model = sight.model(tarefa)
  if (!model) throw new Error(`no usable model for ${tarefa}`)
  const pictures = await Promise.all(regions.map((region) => fitPicture(frame, region, model.input)))
  const found = await sight.detect(
    tarefa,
    pictures.map(({ packed }) => packed),
    options,
  )
  const looks = pictures.map(({ toFrame }, index) => ({
    region: regions[index] ?? null,
    detections: (found[index] ?? []).flatMap((detection) => toFrame(detection) ?? []),
  }))
  return mergeInferences(looks)
}
