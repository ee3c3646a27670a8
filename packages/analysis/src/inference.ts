import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { DetectOptions } from '@vigia/vision/detector'
import { mergeInferences } from '@vigia/vision/merge-inferences'
import type { ModelRunner, TarefaVisao } from '@vigia/vision/model-runner'
import { fitPicture } from './fitted-picture.ts'

/**
 * Runs the model of `tarefa` on the whole frame (null) and on enlarged regions (fractions of the frame). Detections of
 * one object in several regions are merged; boxes in fractions of the frame, most confident first. Rejects without a
 * usable model: a failed inference is not an empty result.
 */
export async function runInference(
  runner: ModelRunner,
  tarefa: TarefaVisao,
  frame: VideoFrame,
  regions: readonly (Box | null)[],
  options: DetectOptions,
): Promise<Detection[]> {
  const model = runner.model(tarefa)
  if (!model) throw new Error(`no usable model for ${tarefa}`)
  const pictures = await Promise.all(regions.map((region) => fitPicture(frame, region, model.input)))
  const found = await runner.detect(
    tarefa,
    pictures.map(({ packed }) => packed),
    options,
  )
  const results = pictures.map(({ toFrame }, index) => ({
    region: regions[index] ?? null,
    detections: (found[index] ?? []).flatMap((detection) => toFrame(detection) ?? []),
  }))
  return mergeInferences(results)
}
