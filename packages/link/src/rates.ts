import { type EdgeLineage, type LineageLevel, lineageLevels, type PerLevel } from './edge-lineage.ts'

/** Average rates by what they count, for example `records` and `bytes`, for each unit of a lineage. */
export type RateLimits<Counted extends string> = { readonly [counted in Counted]: PerLevel }

/** Keeps each edge, each Empresa and each root Empresa within its average rates. */
export interface Rates<Counted extends string> {
  charge(of: EdgeLineage, amounts: { readonly [counted in Counted]: number }): void
  /** Time until a unit is within its rates, ms; 0: it is. */
  unitWaitMs(level: LineageLevel, key: string): number
  /** Time until the edge, its Empresa and its root are within their rates, ms. */
  waitMs(of: EdgeLineage): number
}

/** Idle units are forgotten this often. */
const SWEEP_MS = 10_000

/**
 * Generic cell rate algorithm (ITU-T I.371).
 * @param burstMs time of the average rate that a unit may use at once
 * @param monotonic ms
 */
export function createRates<Counted extends string>(
  limits: RateLimits<Counted>,
  burstMs: number,
  monotonic: () => number,
): Rates<Counted> {
  const counted = Object.keys(limits) as Counted[]
  /** End of the used rate in monotonic ms, by unit and by what is counted. */
  const usedUntil = new Map<string, Record<Counted, number>>()
  const idOf = (level: LineageLevel, key: string) => `${level} ${key}`
  const latest = (used: Record<Counted, number>) => Math.max(...counted.map((what) => used[what]))

  let sweepAt = monotonic() + SWEEP_MS
  function sweep(now: number): void {
    if (now < sweepAt) return
    sweepAt = now + SWEEP_MS
    for (const [id, used] of usedUntil) if (latest(used) <= now) usedUntil.delete(id)
  }

  function unitWaitMs(level: LineageLevel, key: string): number {
    const used = usedUntil.get(idOf(level, key))
    return used === undefined ? 0 : Math.max(0, latest(used) - monotonic() - burstMs)
  }

  return {
    charge(of, amounts) {
      const now = monotonic()
      sweep(now)
      for (const level of lineageLevels) {
        const id = idOf(level, of[level])
        const used = usedUntil.get(id)
        const next = counted.map((what) => [
          what,
          Math.max(now, used?.[what] ?? now) + (amounts[what] / limits[what][level]) * 1000,
        ])
        usedUntil.set(id, Object.fromEntries(next) as Record<Counted, number>)
      }
    },
    unitWaitMs,
    waitMs: (of) => Math.max(...lineageLevels.map((level) => unitWaitMs(level, of[level]))),
  }
}
