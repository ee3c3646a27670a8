import type { Detection } from '@vigia/ias/detection'
import type { Question } from '@vigia/ias/judging'

/** The pictures of an alarm and the detections of the edge. */
export interface AlarmPictures {
  /** Whole frame, JPEG; null when only the crop is stored. */
  readonly frame: Buffer | null
  /** Cut-out of the object, JPEG. */
  readonly crop: Buffer
  /** Detections of the edge, in fractions of the whole frame. */
  readonly caixas: readonly Detection[]
}

/** The second model of a task, loaded. */
export interface SecondModel<Finding> {
  /** Throws VigiaError `validacao` for an undecodable picture. */
  inspect(pictures: AlarmPictures, question: Question): Promise<Finding>
  close(): Promise<void>
}

/** Minimum side of a region for the second model, in pixels: smaller regions only show blur. */
export const MIN_SIDE = 64
