/** Recorders lock an address out after five refused logins. People and other programs log in too. */
export const LOGINS_PER_HOUR = 4
const HOUR_MS = 3_600_000
/** Pauses after so many refused logins, the last one also after more. A busy recorder may refuse a right one. */
const PAUSES_MS = [30_000, 120_000, 21 * 60_000]
/**
 * Times of the second to the fourth login after the first refusal of a host that starts. Recorders that open their port
 * before they know their users accept the password one to five minutes later.
 */
const STARTING_AT_MS = [30_000, 90_000, 300_000]
/** A host that was unreachable so recently has started, or its network has. */
const BOOT_MS = 600_000

/**
 * Refused logins of this edge by host and login. While all are refused, the edge sends at most LOGINS_PER_HOUR,
 * whatever the number of its cameras there.
 */
export interface HostLogins {
  /** Time until a login may be sent, ms; 0: now. */
  waitMs(key: string): number
  /** Logins are refused, so that only one is sent at a time. */
  isSuspect(key: string): boolean
  refused(key: string, host: string): void
  /** The host refused a connection, or did not answer. */
  unreachable(host: string): void
  /** A stream has begun, or a person has checked the login. */
  forget(key: string): void
}

interface Refusals {
  readonly times: readonly number[]
  readonly isStarting: boolean
}

const NONE: Refusals = { times: [], isStarting: false }

/** `now`: monotonic ms. */
export function createHostLogins(now: () => number): HostLogins {
  const refusals = new Map<string, Refusals>()
  const unreachableAt = new Map<string, number>()

  function recent(key: string): Refusals {
    const { times, isStarting } = refusals.get(key) ?? NONE
    const all = times.filter((at) => now() - at < HOUR_MS)
    if (all.length > 0) return { times: all, isStarting }
    refusals.delete(key)
    return NONE
  }

  return {
    waitMs(key) {
      const { times, isStarting } = recent(key)
      const [first, last] = [times[0], times.at(-1)]
      if (first === undefined || last === undefined) return 0
      const index = times.length - 1
      const dueAt = isStarting
        ? first + (STARTING_AT_MS[index] ?? HOUR_MS)
        : last + (PAUSES_MS[index] ?? PAUSES_MS.at(-1) ?? HOUR_MS)
      const budgetEnds = times.length < LOGINS_PER_HOUR ? 0 : (times[times.length - LOGINS_PER_HOUR] ?? 0) + HOUR_MS
      return Math.max(0, dueAt - now(), budgetEnds - now())
    },
    isSuspect: (key) => recent(key).times.length > 0,
    refused(key, host) {
      const { times, isStarting } = recent(key)
      const hasStarted = now() - (unreachableAt.get(host) ?? Number.NEGATIVE_INFINITY) < BOOT_MS
      refusals.set(key, { times: [...times, now()], isStarting: isStarting || hasStarted })
      // Forgets logins that no camera has any more.
      for (const other of [...refusals.keys()]) recent(other)
    },
    unreachable(host) {
      unreachableAt.set(host, now())
      for (const [other, at] of [...unreachableAt]) if (now() - at >= BOOT_MS) unreachableAt.delete(other)
    },
    forget: (key) => void refusals.delete(key),
  }
}
