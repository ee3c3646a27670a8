/** Problems of a camera's picture. */
export const problemasImagem = ['coberta', 'desfocada', 'ofuscada', 'desviada', 'congelada', 'preta'] as const
export type ProblemaImagem = (typeof problemasImagem)[number]

/** Strength of each problem in one frame of a stream, 0–1. */
export type PictureHealth = Readonly<Record<ProblemaImagem, number>>

/** Measures of a single picture without any other for comparison. All 0–1 except `contrast`. */
export interface PictureMeasures {
  /** Share of points without light, and at the top of the scale. */
  readonly dark: number
  readonly saturated: number
  /** Standard deviation of the brightness, 0–255 scale. */
  readonly contrast: number
  /** Share of squares without detail: no edge, no grain. */
  readonly flat: number
  /**
   * Steepness of edges: the steepest step of one point relative to the step over four, median over the picture; null:
   * too few edges.
   */
  readonly sharpness: number | null
}
