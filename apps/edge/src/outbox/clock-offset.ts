import type { Eco } from '@vigia/contracts/candidate'

/**
 * How far this box's clock is from the cloud's, by the echoes of its reports (RFC 5905 section 8). Between echoes the offset
 * is carried on by the monotonic clock: when the box's clock is set, the offset changes by as much in the same moment.
 */
export interface ClockOffset {
  /** The cloud's answer to a report, at the moment of its arrival. */
  echo(eco: Eco): void
  /** Edge minus cloud, ms; null: not yet known. */
  readonly offsetMs: number | null
}

export interface ClockOffsetOptions {
  /** Wall clock of this box, epoch ms. */
  now(): number
  /** ms since any moment; never set. */
  monotonic(): number
}

interface Best {
  /** Edge minus cloud, as it was when the wall clock was `ahead` of the monotonic one. */
  readonly offsetMs: number
  readonly ahead: number
  readonly roundTripMs: number
  readonly at: number
}

/** A measurement as good as the best one replaces it; a worse one only when that has grown this old. */
const TRUSTED_MS = 10 * 60_000
/** A larger step between the two clocks is the wall clock being set. */
const JUMP_MS = 100
/** Longest round trip that is believed; so long after a jump, an echo may be of a report from before it. */
const MAX_ROUND_TRIP_MS = 30_000
/** Both clocks read in this time, ms: a process that was set aside between the two readings reads again. */
const SAME_MOMENT_MS = 5

export function createClockOffset({ now, monotonic }: ClockOffsetOptions): ClockOffset {
  let best: Best | null = null
  let ahead = look().ahead
  let jumpedAt = Number.NEGATIVE_INFINITY

  /** Both clocks at one moment: the wall clock, and how far it is ahead of the monotonic one. */
  function look(): { wall: number; mono: number; ahead: number } {
    for (let attempt = 1; ; attempt++) {
      const before = monotonic()
      const wall = now()
      const after = monotonic()
      if (after - before > SAME_MOMENT_MS && attempt < 5) continue
      const mono = (before + after) / 2
      return { wall, mono, ahead: wall - mono }
    }
  }

  /** As `look`, and takes note when the wall clock was set since the last time. */
  function lookForJump() {
    const moment = look()
    if (Math.abs(moment.ahead - ahead) > JUMP_MS) {
      jumpedAt = moment.mono
      // It was carried over a jump: whatever is measured next is better.
      if (best) best = { ...best, roundTripMs: Number.POSITIVE_INFINITY }
    }
    ahead = moment.ahead
    return moment
  }

  const carriedOn = ({ offsetMs, ahead: then }: Best) => offsetMs + ahead - then

  function isBetter(measured: Best): boolean {
    if (best === null || measured.at - best.at >= TRUSTED_MS) return true
    if (measured.roundTripMs <= best.roundTripMs) return true
    // Each is wrong by half its round trip at most. When they contradict each other, a clock has moved since: the newer one holds.
    const apart = Math.abs(measured.offsetMs - carriedOn(best))
    return apart > (measured.roundTripMs + best.roundTripMs) / 2 + JUMP_MS
  }

  return {
    echo({ t1, t2, t3 }) {
      const { wall: t4, mono } = lookForJump()
      if (mono - jumpedAt < MAX_ROUND_TRIP_MS) return
      const roundTripMs = t4 - t1 - (t3 - t2)
      if (roundTripMs < 0 || t4 - t1 > MAX_ROUND_TRIP_MS || t3 < t2) return
      const measured: Best = { offsetMs: (t1 - t2 + (t4 - t3)) / 2, ahead, roundTripMs, at: mono }
      if (isBetter(measured)) best = measured
    },
    get offsetMs() {
      lookForJump()
      return best === null ? null : Math.round(carriedOn(best))
    },
  }
}
