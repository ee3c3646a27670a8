import { CONNECTS, type Measured } from './measure.ts'

/** Judgement of one row against the rows "alone" beside it. */
export interface Verdict {
  readonly p95Ratio: number
  readonly slowestRatio: number
  readonly passes: boolean
}

const MOST_TIMES = 3
const MORE_MS = 50

/**
 * A row passes when nothing fails or restarts. The 95th percentile of the requests and the slowest verdict are at most
 * three times those of the slower row "alone", plus 50 ms. A row "alone" after an attack is judged by the one
 * before the attack: the effect of an attack ends with it.
 */
export function judge(measured: Measured, alone: readonly Measured[]): Verdict {
  const slower = (of: (one: Measured) => number) => Math.max(...alone.map(of))
  const isWithin = (value: number, bound: number) => value <= MOST_TIMES * bound + MORE_MS
  const [p95, slowest] = [slower(({ apiP95 }) => apiP95), slower(({ verdictMax }) => verdictMax)]
  return {
    p95Ratio: measured.apiP95 / p95,
    slowestRatio: measured.verdictMax / slowest,
    passes:
      isWithin(measured.apiP95, p95) &&
      isWithin(measured.verdictMax, slowest) &&
      Number.isFinite(measured.verdictMax) &&
      measured.apiFailures === 0 &&
      measured.restarts === 0 &&
      measured.connected === CONNECTS,
  }
}

const ms = (value: number) => value.toFixed(0)

export const HEADER =
  '| the other Empresa | slowest verdict, ms | ratio | `GET /cameras` p95, ms | ratio | failed | edge connects | ' +
  'restarts | passes |\n|---|---:|---:|---:|---:|---:|---:|---:|---|'

export function toRow(name: string, measured: Measured, { p95Ratio, slowestRatio, passes }: Verdict): string {
  const { verdictMax, apiP95, apiFailures, connected, restarts } = measured
  const figures = [ms(verdictMax), slowestRatio.toFixed(1), ms(apiP95), p95Ratio.toFixed(1), String(apiFailures)]
  return `| ${[name, ...figures, `${connected} of ${CONNECTS}`, restarts, passes ? 'yes' : '**no**'].join(' | ')} |`
}
