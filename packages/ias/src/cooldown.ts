/** At least `resfriamento_s` between two events of one IA on one camera, also across a restart. */
export interface Cooldown {
  /** Tie the two clocks together; every frame, before `ready`. */
  follow(epochMs: number, streamMs: number): void
  /** Whether an event may fire now. */
  ready(epochMs: number, streamMs: number): boolean
  start(epochMs: number, streamMs: number): void
  /** Edge clock of the last event, epoch ms; null: none yet. */
  lastFiredAt(): number | null
}

export function createCooldown(cooldownMs: number, lastFiredAt: number | null): Cooldown {
  let firedAt = lastFiredAt
  let readyAtStreamMs: number | null = null
  return {
    follow(epochMs, streamMs) {
      if (readyAtStreamMs !== null) return
      // The monotonic clock does not outlive a process. A clock that was set back must not make the cooldown longer than it is.
      const rest = firedAt === null ? 0 : cooldownMs - Math.max(0, epochMs - firedAt)
      readyAtStreamMs = streamMs + Math.max(0, rest)
    },
    ready(epochMs, streamMs) {
      // By both clocks: events carry the wall clock's time, and a person who reads them must find the promise kept there too.
      const since = firedAt === null ? Number.POSITIVE_INFINITY : epochMs - firedAt
      const soonByTheWall = since >= 0 && since < cooldownMs
      return readyAtStreamMs !== null && streamMs >= readyAtStreamMs && !soonByTheWall
    },
    start(epochMs, streamMs) {
      firedAt = epochMs
      readyAtStreamMs = streamMs + cooldownMs
    },
    lastFiredAt: () => firedAt,
  }
}
