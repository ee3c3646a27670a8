import type { Detection } from '@vigia/ias/detection'
import type { Question } from '@vigia/ias/judging'

/** The pictures of an alarm, and where in them the edge saw what. */
export interface AlarmPictures {
  /** Whole frame, JPEG; null when only the crop is left. */
  readonly frame: Buffer | null
  /** Cut-out of the object, JPEG. */
  readonly crop: Buffer
  /** What the edge saw, in fractions of the whole frame. */
  readonly caixas: readonly Detection[]
}

/** The second model of a task, loaded. */
export interface SecondModel<Finding> {
  /** Throws VigiaError `validacao` when the picture cannot be decoded: that is no finding. */
  look(pictures: AlarmPictures, question: Question): Promise<Finding>
  close(): Promise<void>
}

/** The second model is shown at least this many pixels a side: below, there is nothing to see but enlarged blur. */
export const MIN_SIDE = 64
