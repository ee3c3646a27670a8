/** Labels of objects that the background model finds. */
export const STILL_LABELS = { deixado: 'objeto', retirado: 'retirado' } as const

/** Observation of still objects since the frame before. */
export interface StillObservation {
  /** Time for which the background model watched, also without inferences. */
  readonly watchedMs: number
}
