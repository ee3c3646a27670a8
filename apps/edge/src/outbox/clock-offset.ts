/**
 * How far this box's clock is from the cloud's, measured by acknowledgements: the cloud stamped its answer somewhere between
 * our sending and our receiving, so the middle of the two is wrong by half the round trip at most.
 */
export interface ClockOffset {
  /** One acknowledgement: edge clock when the record was sent and when the answer came, cloud clock in it (epoch ms). */
  sample(sentAt: number, receivedAt: number, cloudAt: number): void
  /** Edge minus cloud, ms; null: not yet known. */
  readonly offsetMs: number | null
}

/** A measurement as good as the best one replaces it; a worse one only when that has grown this old. */
const TRUSTED_MS = 10 * 60_000

export function createClockOffset(): ClockOffset {
  let best: { offsetMs: number; roundTripMs: number; at: number } | null = null
  return {
    sample(sentAt, receivedAt, cloudAt) {
      const roundTripMs = receivedAt - sentAt
      // The box's clock was set while the record was under way: the two stamps are not of one clock.
      if (roundTripMs < 0) return
      const age = best === null ? Number.POSITIVE_INFINITY : receivedAt - best.at
      if (best !== null && roundTripMs > best.roundTripMs && age >= 0 && age < TRUSTED_MS) return
      best = { offsetMs: Math.round((sentAt + receivedAt) / 2 - cloudAt), roundTripMs, at: receivedAt }
    },
    get offsetMs() {
      return best?.offsetMs ?? null
    },
  }
}
