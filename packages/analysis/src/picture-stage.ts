import type { VideoFrame } from '@vigia/video/stream-reader'
import { createPictureHealth } from '@vigia/vision/picture-health'
import { type AnalysisSettings, createAnalysisSet } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { createFramePictures } from './frame-pictures.ts'
import type { AnalysisStates, FrameTime, SavedState } from './model.ts'
import { PICTURE_MODEL } from './model-names.ts'
import type { StageOptions } from './model-stage.ts'

/** A small grey copy of a frame, rows packed. */
interface GrayPicture {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

export interface PictureStage {
  configure(settings: AnalysisSettings, states: AnalysisStates): void
  /** Called for every frame, in order. */
  run(frame: VideoFrame, gray: GrayPicture, time: FrameTime): Promise<void>
  states(): readonly SavedState[]
}

/** Stage of the pipeline for obstructed cameras. Needs no model, so it checks every frame. */
export function createPictureStage(options: Omit<StageOptions, 'runner'>): PictureStage {
  const analyses = createAnalysisSet(null, options.settings, options.states)
  const candidates = createCandidates(options)
  let health = createPictureHealth()
  return {
    configure(settings, states) {
      analyses.configure(settings, states)
      // The normal picture is not learnt meanwhile; the camera may show another one later.
      if (analyses.isEmpty()) health = createPictureHealth()
    },
    async run(frame, { pixels, width, height }, time) {
      if (analyses.isEmpty()) return
      const { epochMs, streamMs } = time
      // The normal picture is also learnt outside the Agenda.
      const picture = health.update(pixels, width, height, streamMs)
      if (!analyses.armed(epochMs)) return
      const outcomes = analyses.update({ epochMs, streamMs, tracks: [], evidence: { imagem: picture } })
      const pictures = createFramePictures(frame, streamMs)
      await candidates.take(outcomes, { pictures, time, tracks: [], modelo: () => PICTURE_MODEL })
    },
    states: candidates.states,
  }
}
