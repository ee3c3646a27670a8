/** Continuous time offline that begins a queda. Continuous time online that ends it. Milliseconds. */
export const BEGIN_MS = 30_000
export const END_MS = 15_000
/** Longest time that one check may add, because the state between distant checks is unknown. */
const LONGEST_STEP_MS = 5_000
/** Reason of a camera whose edge is offline; only the queda of the edge is notified. */
export const OF_THE_EDGE = 'edge_offline'

/**
 * State of an edge or a camera that should be online, at one check. The tracker receives only such edges and cameras.
 */
export interface Seen {
  readonly online: boolean
  /** Stable code; meaningless while online. */
  readonly motivo: string
  /** Time of the last contact in epoch ms; null: not known. */
  readonly lastSign: number | null
}

/** An open queda of the database. */
export interface Open {
  readonly motivo: string
}

export type Change<Key> = { readonly key: Key } & (
  | { readonly tipo: 'inicio'; readonly inicio: number; readonly motivo: string }
  /** The edge is online again and the camera is not, so that the queda gets a reason of the camera. */
  | { readonly tipo: 'motivo'; readonly motivo: string }
  /** `voltou` false: it was disabled or removed, without a return. */
  | { readonly tipo: 'fim'; readonly fim: number; readonly voltou: boolean }
)

interface Check<Key> {
  readonly seen: ReadonlyMap<Key, Seen>
  readonly open: ReadonlyMap<Key, Open>
  /** Wall clock in epoch ms. */
  readonly now: number
  /** Monotonic ms. */
  readonly at: number
  /** False: the cloud lacks the data to begin a queda. */
  readonly mayBegin: boolean
}

interface Watched {
  readonly online: boolean
  /** Wall clock of the first check with this state. */
  readonly since: number
  /** Continuous time in this state, and the part of it offline for a reason other than the edge. */
  readonly heldMs: number
  readonly ownMs: number
  /** Whether its last contact is the start of a queda; false for a subject that was first checked later. */
  readonly knowsSign: boolean
}

/**
 * Derives quedas from checks. Open quedas are an input of each check, so that a restart loses nothing. The caller
 * writes the changes before the next check, which repeats the missing ones.
 */
export function createQuedaTracker<Key>() {
  let watched: ReadonlyMap<Key, Watched> | null = null
  let lastAt = 0

  return {
    check({ seen, open, now, at, mayBegin }: Check<Key>): Change<Key>[] {
      const step = Math.min(at - lastAt, LONGEST_STEP_MS)
      lastAt = at
      const followed = new Map<Key, Watched>()
      const changes: Change<Key>[] = []
      for (const [key, one] of seen) {
        const state = follow(watched, watched?.get(key), one, step, now)
        followed.set(key, state)
        const change = judge(state, one, open.get(key), now, mayBegin)
        if (change) changes.push({ key, ...change })
      }
      watched = followed
      for (const key of open.keys()) if (!seen.has(key)) changes.push({ key, tipo: 'fim', fim: now, voltou: false })
      return changes
    },
  }
}

function follow(
  earlier: ReadonlyMap<unknown, Watched> | null,
  before: Watched | undefined,
  { online, motivo }: Seen,
  step: number,
  now: number,
): Watched {
  const own = !online && motivo !== OF_THE_EDGE
  if (before?.online === online)
    return { ...before, heldMs: before.heldMs + step, ownMs: own ? before.ownMs + step : 0 }
  return { online, since: now, heldMs: 0, ownMs: 0, knowsSign: before !== undefined || earlier === null }
}

type Judgement = Change<never> extends infer C ? (C extends unknown ? Omit<C, 'key'> : never) : never

function judge(
  { online, since, heldMs, ownMs, knowsSign }: Watched,
  { motivo, lastSign }: Seen,
  open: Open | undefined,
  now: number,
  mayBegin: boolean,
): Judgement | null {
  if (open && online) return heldMs >= END_MS ? { tipo: 'fim', fim: since, voltou: true } : null
  if (open) return open.motivo === OF_THE_EDGE && ownMs >= BEGIN_MS ? { tipo: 'motivo', motivo } : null
  if (online || heldMs < BEGIN_MS || !mayBegin) return null
  const sign = lastSign ?? since
  return { tipo: 'inicio', inicio: Math.min(now, knowsSign ? sign : Math.max(sign, since)), motivo }
}
