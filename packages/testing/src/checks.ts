import type { Result, Row } from './trial.ts'

/** A row of a trial with a measured figure and its limit. */
export interface Check extends Row {
  readonly check: string
  readonly figure: string
  readonly limit: string
  readonly passed: boolean
}

const text = (figure: number, unit: string) => `${Number(figure.toPrecision(4))}${unit && ` ${unit}`}`

/** Passes below `limit`. */
export const below = (check: string, figure: number, limit: number, unit = ''): Check => ({
  check,
  figure: text(figure, unit),
  limit: `< ${text(limit, unit)}`,
  passed: figure < limit,
})

/** Passes above `limit`. */
export const above = (check: string, figure: number, limit: number, unit = ''): Check => ({
  check,
  figure: text(figure, unit),
  limit: `> ${text(limit, unit)}`,
  passed: figure > limit,
})

/** Passes if `holds`; `figure` says more. */
export const holds = (check: string, passed: boolean, figure = ''): Check => ({ check, figure, limit: '', passed })

/** Passes if there are rows and all of them pass. */
export const resultOf = (rows: readonly Check[]): Result => ({
  passed: rows.length > 0 && rows.every(({ passed }) => passed),
  rows,
})
