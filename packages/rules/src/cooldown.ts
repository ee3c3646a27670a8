/** At least `resfriamento_s` between two events of one IA on one camera, also across a restart. */
export interface Cooldown {
  /** Tie the two clocks together; every frame, before `ready`. */
  follow(epochMs: number, streamMs: number): void
  /** Whether an event may fire now. */
  ready(streamMs: number): boolean
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
      // Only here does the wall clock measure a duration: the monotonic clock does not outlive a process. A clock that
      // was set back must not make the cooldown longer than it is.
      const rest = firedAt === null ? 0 : cooldownMs - Math.max(0, epochMs - firedAt)
      readyAtStreamMs = streamMs + Math.max(0, rest)
    },
    ready: (streamMs) => readyAtStreamMs !== null && streamMs >= readyAtStreamMs,
    start(epochMs, streamMs) {
      firedAt = epochMs
      readyAtStreamMs = streamMs + cooldownMs
    },
    lastFiredAt: () => firedAt,
  }
}
