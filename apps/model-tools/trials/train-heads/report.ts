import { areaUnderCurve, calibrationError, reliability, type Scored } from './calibration.ts'

const percent = (share: number) => (Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`)
const fixed = (value: number, digits = 3) => (Number.isNaN(value) ? '–' : value.toFixed(digits))

/** Cut-offs of the table of outcomes. */
const limits = [0.02, 0.03, 0.05, 0.1, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9]

/** One line of figures: area, calibration error, counts. */
export function figuresOf(name: string, scored: readonly Scored[]): string {
  const real = scored.filter((one) => one.real).length
  const cells = [real, scored.length - real, fixed(areaUnderCurve(scored)), fixed(calibrationError(scored))]
  return `| ${name} | ${cells.join(' | ')} |`
}

/** Shares at or above each cut-off, of the real ones and of the others. */
export function outcomesOf(scored: readonly Scored[]): string {
  const above = (limit: number, real: boolean) => {
    const mine = scored.filter((one) => one.real === real)
    return percent(mine.filter(({ p }) => p >= limit).length / mine.length)
  }
  return limits.map((limit) => `| ${limit} | ${above(limit, true)} | ${above(limit, false)} |`).join('\n')
}

export const reliabilityOf = (scored: readonly Scored[]): string =>
  reliability(scored)
    .map(
      ({ count, mean, share }, at) => `| ${(at / 10).toFixed(1)} | ${count} | ${fixed(mean, 2)} | ${fixed(share, 2)} |`,
    )
    .join('\n')
