import type { StreamChange } from './worse-streams.ts'

/** Two changes farther apart have different causes. */
const STRIKE_MS = 3_600_000
/** So many changes without a further connection refute a learned limit. */
const REFUTING = 2

/** Decides whether further connections make the analysed streams of a host worse. */
export interface WorseHosts {
  /**
   * `learn`: the second change right after a further connection, when the first one ended with it. `refute`: the
   * streams become worse by themselves. @param learnedAt time of `learn`, monotonic ms; null: not learned
   */
  judge(host: string, change: StreamChange, learnedAt: number | null): 'learn' | 'refute' | null
  forget(host: string): void
}

/** @param now monotonic ms */
export function createWorseHosts(now: () => number): WorseHosts {
  const strikes = new Map<string, number>()
  /** Times of changes without a further connection, or that went on after its end. */
  const ownChanges = new Map<string, readonly number[]>()
  /** The further connection has not yet ended since the host was learned. */
  const unproven = new Set<string>()
  const isRecent = (at: number) => now() - at <= STRIKE_MS

  function own(host: string, learnedAt: number | null): 'refute' | null {
    const all = [...(ownChanges.get(host) ?? []).filter(isRecent), now()].slice(-REFUTING)
    ownChanges.set(host, all)
    strikes.delete(host)
    return learnedAt !== null && all.filter((at) => at > learnedAt).length >= REFUTING ? 'refute' : null
  }

  return {
    judge(host, change, learnedAt) {
      if (change === 'alone') return own(host, learnedAt)
      const isUnproven = unproven.delete(host)
      if (change === 'stayed') return own(host, learnedAt) ?? (isUnproven ? 'refute' : null)
      if (change === 'recovered') {
        if (!isUnproven) strikes.set(host, now())
        return null
      }
      const strike = strikes.get(host)
      if (strike === undefined || !isRecent(strike) || ownChanges.get(host)?.some(isRecent)) return null
      strikes.delete(host)
      unproven.add(host)
      return 'learn'
    },
    forget(host) {
      strikes.delete(host)
      ownChanges.delete(host)
      unproven.delete(host)
    },
  }
}
