/** Thresholds of `conf_placa` that the page offers, by their name. */
export const thresholds = { alta: 0.95, media: 0.8, baixa: 0.6 } as const

/** The nearest name for a stored threshold. */
export const thresholdName = (conf: number): keyof typeof thresholds =>
  (Object.keys(thresholds) as (keyof typeof thresholds)[]).reduce((best, name) =>
    Math.abs(thresholds[name] - conf) < Math.abs(thresholds[best] - conf) ? name : best,
  )
