import type { Eco } from '@vigia/contracts/candidate'
import { type Clocks, JUMP_MS, readClocks } from './clock-reading.ts'

/**
 * Offset between this edge's clock and the cloud's, from the echoes of its reports (RFC 5905 section 8). Between echoes
 * the monotonic clock extrapolates it: when the edge's clock is set, the offset changes by the same amount at once.
 */
export interface ClockOffset {
  /** Called with the cloud's answer to a report when it arrives. */
  echo(eco: Eco): void
  /** Edge minus cloud; null: unknown. */
  readonly offsetMs: number | null
  /** Last round trip of a report, without the time in the cloud; null: none yet. */
  readonly roundTripMs: number | null
}

interface Best {
  /** Edge minus cloud when the wall clock was `ahead` of the monotonic clock. */
  readonly offsetMs: number
  readonly ahead: number
  readonly roundTripMs: number
  readonly at: number
}

/** A faster or equally fast exchange replaces the best one; a slower one replaces it only at this age. */
const TRUSTED_MS = 10 * 60_000
/** Longest accepted round trip. For the same time after a jump, an echo may belong to a report from before it. */
const MAX_ROUND_TRIP_MS = 30_000

export function createClockOffset(clocks: Clocks): ClockOffset {
  let best: Best | null = null
  let lastRoundTripMs: number | null = null
  let ahead = readClocks(clocks).ahead
  let jumpedAt = Number.NEGATIVE_INFINITY

  /** Like `readClocks`; also detects that the wall clock was set since the last call. */
  function readAndDetectJump() {
    const moment = readClocks(clocks)
    if (Math.abs(moment.ahead - ahead) > JUMP_MS) {
      jumpedAt = moment.mono
      // The value was extrapolated over a jump, so any new measurement is better.
      if (best) best = { ...best, roundTripMs: Number.POSITIVE_INFINITY }
    }
    ahead = moment.ahead
    return moment
  }

  const carriedOn = ({ offsetMs, ahead: then }: Best) => offsetMs + ahead - then

  function isBetter(measured: Best): boolean {
    if (best === null || measured.at - best.at >= TRUSTED_MS) return true
    if (measured.roundTripMs <= best.roundTripMs) return true
    // The error of each is at most half its round trip. If they contradict each other, a clock has changed since, and
    // the newer one is valid.
    const apart = Math.abs(measured.offsetMs - carriedOn(best))
    return apart > (measured.roundTripMs + best.roundTripMs) / 2 + JUMP_MS
  }

  return {
    echo({ t1, t2, t3 }) {
      const { wall: t4, mono } = readAndDetectJump()
      if (mono - jumpedAt < MAX_ROUND_TRIP_MS) return
      const roundTripMs = t4 - t1 - (t3 - t2)
      if (roundTripMs >= 0) lastRoundTripMs = roundTripMs
      if (roundTripMs < 0 || t4 - t1 > MAX_ROUND_TRIP_MS || t3 < t2) return
      const measured: Best = { offsetMs: (t1 - t2 + (t4 - t3)) / 2, ahead, roundTripMs, at: mono }
      if (isBetter(measured)) best = measured
    },
    get offsetMs() {
      readAndDetectJump()
      return best === null ? null : Math.round(carriedOn(best))
    },
    get roundTripMs() {
      return lastRoundTripMs
    },
  }
}
