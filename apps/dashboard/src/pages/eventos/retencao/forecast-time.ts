/** A time to come in the unit in which a person thinks of it. */
export interface ForecastTime {
  readonly unit: 'dias' | 'semanas' | 'meses' | 'anos'
  /** Rounded down: a forecast must not promise more time than there is. */
  readonly count: number
}

/** First number of days that is shown in the unit, and the days of one. The largest comes first. */
const units = [
  ['anos', 730, 365],
  ['meses', 91, 30],
  ['semanas', 14, 7],
] as const

/** Whole days of a forecast as days, weeks, months or years. */
export function forecastTime(days: number): ForecastTime {
  for (const [unit, from, length] of units) if (days >= from) return { unit, count: Math.floor(days / length) }
  return { unit: 'dias', count: days }
}
