import type { LinkLog } from './log.ts'
import type { Ending } from './session.ts'

/** Detects a second client with this edge's identity: a broker closes the older of two sessions of one client id. */
export interface DuplicateMonitor {
  /** A session or an attempt ended after `livedMs`. */
  ended(ending: Ending, livedMs: number): void
}

/** Longer than the longest wait between two attempts, so that the other client has returned. */
const SHORT_MS = 60_000
/** Short sessions in a row that trigger the message. A restart of the broker causes only one or two short sessions. */
const SUSPICIOUS = 4
const QUIET_MS = 10 * 60_000

/** @param now monotonic, in ms */
export function createDuplicateMonitor(log: LinkLog, now: () => number): DuplicateMonitor {
  let inARow = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    ended: ({ wasTaken, byBroker }, livedMs) => {
      // Without CONNACK the broker was unavailable: its closed sessions prove nothing.
      if (!wasTaken || livedMs >= SHORT_MS) inARow = 0
      else if (byBroker) inARow += 1
      if (inARow < SUSPICIOUS || now() - loggedAt < QUIET_MS) return
      loggedAt = now()
      log.error(
        { sessoes: inARow },
        'Outra caixa parece usar a identidade desta caixa. Se o disco foi copiado, ative uma das duas com um código ' +
          'novo.',
      )
    },
  }
}
