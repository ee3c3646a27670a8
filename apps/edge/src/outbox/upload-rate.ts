/** Controls the size and the time of the next batch of the backlog. */
export interface UploadRate {
  /** Size of the next batch: short enough on the line that a live event never waits long behind it. */
  readonly targetBytes: number
  /** Delay before the next batch; 0: none. Reads the limit at each call. */
  waitMs(): number
  /** Called when a batch of `bytes` was sent. */
  sent(bytes: number): void
  /** Called when the broker acknowledged it after `ms`; null: publishing failed. */
  took(ms: number | null, bytes: number): void
}

export interface UploadRateOptions {
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
/** Largest transmission time of a batch at the limited rate. */
const BURST_MS = 1_000

export function createUploadRate({ limitKbps, monotonic }: UploadRateOptions): UploadRate {
  let target = START
  /**
   * Inverted token bucket: bytes sent ahead of the rate. The next batch is sent when the rate has caught up with them.
   */
  let owed = 0
  let at = monotonic()

  /** 1 kbit/s is an eighth of a byte per millisecond; null: no limit. */
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
      // A fast small batch does not predict the time of a large one.
      else if (ms <= QUICK_MS && bytes >= target / 2) target = Math.min(MOST, target * 2)
    },
  }
}
