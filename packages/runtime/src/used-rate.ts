/** Rates of a sender, and what it may send at once beyond them. */
export interface Rate {
  readonly recordsPerS: number
  readonly bytesPerS: number
  readonly burstRecords: number
  readonly burstBytes: number
}

/** Rates that one sender has used (generic cell rate algorithm). */
export interface UsedRate {
  /** Monotonic ms until the sender is within `rate`; 0: it is. */
  excessMs(rate: Rate, now: number): number
  /** @param share number of senders that divide the rate */
  charge(rate: Rate, now: number, cost: Cost, share?: number): void
  /** Whether the rates are unused since `now`. */
  isIdle(now: number): boolean
}

interface Cost {
  readonly records: number
  readonly bytes: number
}

/** Entries of a `byKey` above which idle ones are removed. */
const SWEEP_ABOVE = 1_000

export function createUsedRate(): UsedRate {
  let recordsUntil = 0
  let bytesUntil = 0
  return {
    excessMs({ recordsPerS, bytesPerS, burstRecords, burstBytes }, now) {
      const records = recordsUntil - now - (burstRecords / recordsPerS) * 1000
      const bytes = bytesUntil - now - (burstBytes / bytesPerS) * 1000
      return Math.max(0, records, bytes)
    },
    charge({ recordsPerS, bytesPerS }, now, { records, bytes }, share = 1) {
      recordsUntil = Math.max(now, recordsUntil) + (records * share * 1000) / recordsPerS
      bytesUntil = Math.max(now, bytesUntil) + (bytes * share * 1000) / bytesPerS
    },
    isIdle: (now) => Math.max(recordsUntil, bytesUntil) <= now,
  }
}

/** Used rates by a key, such as the id of an Empresa. Idle ones are forgotten. */
export interface UsedRates {
  of(key: number, now: number): UsedRate
  /** Number of keys that used a rate and have not recovered. */
  busy(now: number): number
}

export function createUsedRates(): UsedRates {
  const known = new Map<number, UsedRate>()
  let sweepAbove = SWEEP_ABOVE
  return {
    of(key, now) {
      if (known.size > sweepAbove) {
        for (const [other, used] of known) if (used.isIdle(now)) known.delete(other)
        sweepAbove = Math.max(SWEEP_ABOVE, 2 * known.size)
      }
      const used = known.get(key) ?? createUsedRate()
      known.set(key, used)
      return used
    },
    busy: (now) => [...known.values()].filter((used) => !used.isIdle(now)).length,
  }
}
