import { ACESSO_S } from '@vigia/contracts/oauth'
import { lifetimes } from './lifetimes.ts'

interface ScheduledKey {
  /** Start of signing in epoch ms. */
  readonly assina_desde: number
}

/** Whether the newest key needs a successor now, so that clients know the successor `keyNotice` before it signs. */
export const isDue = (newest: ScheduledKey | undefined, now: number): boolean =>
  newest === undefined || newest.assina_desde + lifetimes.key - lifetimes.keyNotice <= now

/**
 * Time from which the successor of `newest` signs. The first key signs at once, because no client has cached a key set
 * without it.
 */
export const signsFrom = (newest: ScheduledKey | undefined, now: number): number =>
  newest ? Math.max(now + lifetimes.keyNotice, newest.assina_desde + lifetimes.key) : now

/** Keys whose last token, signed before the successor took over, has expired. `keys`: in the order of signing. */
export const endedKeys = <K extends ScheduledKey>(keys: readonly K[], now: number): K[] =>
  keys.filter((_, index) => {
    const successor = keys[index + 1]
    return successor !== undefined && successor.assina_desde + ACESSO_S * 1000 + lifetimes.keyGrace <= now
  })

/** The key in use. A future key is returned only if the clock was set back. */
export const signingKey = <K extends ScheduledKey>(keys: readonly K[], now: number): K | undefined =>
  keys.findLast(({ assina_desde }) => assina_desde <= now) ?? keys[0]
