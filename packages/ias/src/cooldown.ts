/** At least `resfriamento_s` between two events of one IA on one camera, also across a restart. */
export interface Cooldown {
  /** Synchronises the two clocks. Called for every frame, before `ready`. */
  follow(epochMs: number, streamMs: number): void
  /** Whether an event may fire now. */
  ready(epochMs: number, streamMs: number): boolean
  start(epochMs: number, streamMs: number): void
  /** Edge clock of the last event, in epoch ms; null: none yet. */
  lastFiredAt(): number | null
}

export function createCooldown(cooldownMs: number, lastFiredAt: number | null): Cooldown {
  let firedAt = lastFiredAt
  let readyAtStreamMs: number | null = null
  return {
    follow(epochMs, streamMs) {
      if (readyAtStreamMs !== null) return
      // The monotonic clock restarts with the process. A clock that was set back must not prolong the cooldown.
      const rest = firedAt === null ? 0 : cooldownMs - Math.max(0, epochMs - firedAt)
      readyAtStreamMs = streamMs + Math.max(0, rest)
    },
    ready(epochMs, streamMs) {
      // Measured on both clocks: events carry the time of the wall clock, so the minimum distance must hold there too.
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
