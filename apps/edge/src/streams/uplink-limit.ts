import type { UplinkBudgetOptions } from './uplink-options.ts'

/** The rate for live video: set, or measured while the line is full. */
export interface UplinkLimit {
  /** In bytes a ms; null: no limit is known. */
  readonly value: number | null
  /**
   * An answer took `ms` longer than the fastest one, and `delivered` bytes arrived meanwhile. Returns whether the limit
   * fell.
   */
  measure(delivered: number, ms: number): boolean
  /** Called from time to time; `sinceMs`: time since the last call. */
  grow(sinceMs: number): void
}

/** Share of the uplink for live video; events need the rest. */
const LIVE_SHARE = 0.8
const BYTES_PER_MS_OF_MBIT = 125
/** An answer that takes longer than the fastest one by this means that the line is full. */
const FULL_MS = 400
/** The measured limit never falls below 128 kbit/s. */
const LEAST_LIMIT = 16
/** Slow answers over this time mean a full line; a single one may be a pause of the cloud. */
const SLOW_MS = 500
/** The measured limit falls at most once in this time. */
const FALL_EVERY_MS = 2_000
/** The measured limit grows by these factors a second, soon and long after a full line. */
const GROWTH = { soon: 1.02, later: 1.1, laterAfterMs: 10_000 }

export function createUplinkLimit(
  { uplinkMbits, isLineFree }: Pick<UplinkBudgetOptions, 'uplinkMbits' | 'isLineFree'>,
  now: () => number,
): UplinkLimit {
  let limit = uplinkMbits === null ? null : uplinkMbits * BYTES_PER_MS_OF_MBIT * LIVE_SHARE
  let fullAt = Number.NEGATIVE_INFINITY
  /** Slow answers: time of the first, and the rates of delivery. */
  let slow: { readonly since: number; readonly rates: number[] } | null = null

  return {
    get value() {
      return limit
    },
    // A line that is full delivers as fast as it can.
    measure(delivered, ms) {
      // An event on the line delays answers too.
      const at = now()
      if (uplinkMbits !== null || ms <= FULL_MS || at - fullAt < FALL_EVERY_MS || !isLineFree()) return false
      const rate = delivered / ms
      if (slow === null || at - slow.since > FALL_EVERY_MS) slow = { since: at, rates: [] }
      slow.rates.push(rate)
      if (at - slow.since < SLOW_MS) return false
      const mean = slow.rates.reduce((sum, one) => sum + one, 0) / slow.rates.length
      limit = Math.max(LEAST_LIMIT, mean * LIVE_SHARE, (limit ?? 0) / 2)
      fullAt = at
      slow = null
      return true
    },
    grow(sinceMs) {
      if (limit === null || uplinkMbits !== null) return
      const factor = now() - fullAt > GROWTH.laterAfterMs ? GROWTH.later : GROWTH.soon
      limit *= factor ** (sinceMs / 1_000)
    },
  }
}
