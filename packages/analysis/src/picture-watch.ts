import type { VideoFrame } from '@vigia/video/stream-reader'
import { createPictureHealth } from '@vigia/vision/picture-health'
import { createAnalysisSet, type Watch } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { createLookPictures } from './look-pictures.ts'
import type { AnalysisStates, FrameTime, SavedState } from './model.ts'
import { PICTURE_MODEL } from './model-names.ts'
import type { ModelWatchOptions } from './model-watch.ts'

/** A small grey copy of a frame, rows packed. */
interface GrayPicture {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

export interface PictureWatch {
  watch(watch: Watch, states: AnalysisStates): void
  /** Every frame, in order. */
  look(frame: VideoFrame, gray: GrayPicture, time: FrameTime): Promise<void>
  states(): readonly SavedState[]
}

/** Whether the camera still shows what it is to show. Needs no model, and so judges every frame. */
export function createPictureWatch(options: Omit<ModelWatchOptions, 'sight'>): PictureWatch {
  const analyses = createAnalysisSet(null, options.watch, options.states)
  const candidates = createCandidates(options)
  const health = createPictureHealth()
  return {
    watch: analyses.watch,
    async look(frame, { pixels, width, height }, time) {
      if (analyses.isEmpty()) return
      const { epochMs, streamMs } = time
      // What is normal is learnt outside the Agenda, too.
      const picture = health.update(pixels, width, height, streamMs)
      if (!analyses.armed(epochMs)) return
      const outcomes = analyses.update({ epochMs, streamMs, tracks: [], evidence: { imagem: picture } })
      const look = createLookPictures(frame, streamMs)
      await candidates.take(outcomes, { look, time, tracks: [], modelo: () => PICTURE_MODEL })
    },
    states: candidates.states,
  }
}
