import type { LinkLog } from './log.ts'
import type { Ending } from './session.ts'

/** Notices that somebody else connects with this end's identity: a broker closes the older of two sessions of one name. */
export interface DuplicateWatch {
  /** A session or an attempt ended after `livedMs`. */
  ended(ending: Ending, livedMs: number): void
}

/** Longer than the longest wait between two attempts: the other one is back within that. */
const SHORT_MS = 60_000
/** A broker that is started anew, or moved, closes a session or two. */
const SUSPICIOUS = 4
const QUIET_MS = 10 * 60_000

/** @param now monotonic, ms */
export function createDuplicateWatch(log: LinkLog, now: () => number): DuplicateWatch {
  let inARow = 0
  let saidAt = Number.NEGATIVE_INFINITY
  return {
    ended: ({ wasTaken, byBroker }, livedMs) => {
      // A broker that was away closed what it had for reasons of its own.
      if (!wasTaken || livedMs >= SHORT_MS) inARow = 0
      else if (byBroker) inARow += 1
      if (inARow < SUSPICIOUS || now() - saidAt < QUIET_MS) return
      saidAt = now()
      log.error(
        { sessoes: inARow },
        'Outra caixa parece usar a identidade deste edge. Se o disco foi copiado, ative uma das duas com um código novo.',
      )
    },
  }
}
