/** How large the next batch of waiting records may be, and when it may go. */
export interface Pace {
  /** Bytes to aim at for the next batch: what the line takes in a moment, so that a live event never waits long behind it. */
  readonly targetBytes: number
  /** How long until the next batch may go, ms; 0: now. Reads the limit anew at each call. */
  waitMs(): number
  /** A batch of that size was sent. */
  sent(bytes: number): void
  /** The broker has it, after that long (ms); null: it never got there. */
  took(ms: number | null, bytes: number): void
}

export interface PaceOptions {
  /** kbit/s (1000 bits); null: no limit. */
  limitKbps(): number | null
  monotonic(): number
}

const KIB = 1024
const START = 64 * KIB
const LEAST = 8 * KIB
const MOST = 1024 * KIB
const QUICK_MS = 150
const SLOW_MS = 500
/** A batch should not take more of a limited rate than this long, ms. */
const BURST_MS = 1_000

export function createPace({ limitKbps, monotonic }: PaceOptions): Pace {
  let target = START
  /** Token bucket, upside down: bytes sent ahead of the rate. The next batch goes when they are worked off. */
  let owed = 0
  let at = monotonic()

  /** 1 kbit/s is an eighth of a byte each millisecond; null: no limit. */
  const bytesPerMs = () => {
    const kbps = limitKbps()
    return kbps === null ? null : Math.max(1, kbps) / 8
  }

  return {
    get targetBytes() {
      const rate = bytesPerMs()
      return rate === null ? target : Math.min(target, Math.max(LEAST, rate * BURST_MS))
    },
    waitMs() {
      const rate = bytesPerMs()
      const now = monotonic()
      owed = rate === null ? 0 : Math.max(0, owed - rate * (now - at))
      at = now
      return rate === null ? 0 : Math.ceil(owed / rate)
    },
    sent(bytes) {
      owed += bytes
    },
    took(ms, bytes) {
      if (ms === null || ms > SLOW_MS) target = Math.max(LEAST, target / 2)
      // A small batch that was quick says nothing about a large one.
      else if (ms <= QUICK_MS && bytes >= target / 2) target = Math.min(MOST, target * 2)
    },
  }
}
