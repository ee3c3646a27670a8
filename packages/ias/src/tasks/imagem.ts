/** What can be the matter with a camera's picture. */
export const problemasImagem = ['coberta', 'desfocada', 'ofuscada', 'desviada', 'congelada', 'preta'] as const
export type ProblemaImagem = (typeof problemasImagem)[number]

/** Per frame of a stream: how strongly each problem shows, 0–1. */
export type PictureHealth = Readonly<Record<ProblemaImagem, number>>

/** What can be measured of a single picture, without any other to compare with. All 0–1 but `contrast`. */
export interface PictureMeasures {
  /** Points without light, and at the top of the scale. */
  readonly dark: number
  readonly saturated: number
  /** Standard deviation of the brightness, 0–255 scale. */
  readonly contrast: number
  /** Squares in which nothing is to be seen: no edge, no grain. */
  readonly flat: number
  /** How steep edges are: the steepest step of one point against the step over four, median over the picture; null: too few edges. */
  readonly sharpness: number | null
}
