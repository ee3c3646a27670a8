/** Recorders lock an address out after five refused logins. People and other programs log in too. */
export const LOGINS_PER_HOUR = 4
const HOUR_MS = 3_600_000
/**
 * Pauses after so many refused logins, the last one also after more. A recorder that starts, or that has no free
 * session, refuses a right password for a moment.
 */
const PAUSES_MS = [30_000, 120_000, 21 * 60_000]

/**
 * Refused logins of this edge by host and login. While all are refused, the edge sends at most LOGINS_PER_HOUR,
 * whatever the number of its cameras there.
 */
export interface HostLogins {
  /** Time until a login may be sent, ms; 0: now. */
  waitMs(key: string): number
  /** Logins are refused, so that only one is sent at a time. */
  isSuspect(key: string): boolean
  refused(key: string): void
  /** A stream has begun, or a person has checked the login. */
  forget(key: string): void
}

/** `now`: monotonic ms. */
export function createHostLogins(now: () => number): HostLogins {
  const refusals = new Map<string, readonly number[]>()

  function recent(key: string): readonly number[] {
    const all = (refusals.get(key) ?? []).filter((at) => now() - at < HOUR_MS)
    if (all.length === 0) refusals.delete(key)
    return all
  }

  return {
    waitMs(key) {
      const all = recent(key)
      const last = all.at(-1)
      if (last === undefined) return 0
      const pauseEnds = last + (PAUSES_MS[all.length - 1] ?? PAUSES_MS.at(-1) ?? HOUR_MS)
      const budgetEnds = all.length < LOGINS_PER_HOUR ? 0 : (all[all.length - LOGINS_PER_HOUR] ?? 0) + HOUR_MS
      return Math.max(0, pauseEnds - now(), budgetEnds - now())
    },
    isSuspect: (key) => recent(key).length > 0,
    refused(key) {
      refusals.set(key, [...recent(key), now()])
      // Forgets logins that no camera has any more.
      for (const other of [...refusals.keys()]) recent(other)
    },
    forget: (key) => void refusals.delete(key),
  }
}
