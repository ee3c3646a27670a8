import { ACESSO_S } from '@vigia/contracts/oauth'
import { lifetimes } from './lifetimes.ts'

interface ScheduledKey {
  /** Epoch ms, as all times here. */
  readonly assina_desde: number
}

/** Whether the newest key needs a successor that is published for `keyNotice` when its own time is over. */
export const isDue = (newest: ScheduledKey | undefined, now: number): boolean =>
  newest === undefined || newest.assina_desde + lifetimes.key - lifetimes.keyNotice <= now

/** When the successor of `newest` begins to sign. The first key of all signs at once: nobody has a set of keys without it. */
export const signsFrom = (newest: ScheduledKey | undefined, now: number): number =>
  newest ? Math.max(now + lifetimes.keyNotice, newest.assina_desde + lifetimes.key) : now

/** Keys (in the order in which they sign) whose last token, signed when the successor took over, has expired. */
export const endedKeys = <K extends ScheduledKey>(keys: readonly K[], now: number): K[] =>
  keys.filter((_, index) => {
    const successor = keys[index + 1]
    return successor !== undefined && successor.assina_desde + ACESSO_S * 1000 + lifetimes.keyGrace <= now
  })

/** The key that signs; one that is yet to come only where the clock was put back. */
export const signingKey = <K extends ScheduledKey>(keys: readonly K[], now: number): K | undefined =>
  keys.findLast(({ assina_desde }) => assina_desde <= now) ?? keys[0]
