/** Offline so long without a break: an outage. Online so long without a break: its end. Milliseconds. */
export const BEGIN_MS = 30_000
export const END_MS = 15_000
/** A look counts for so much time at most, ms: what passed while nobody looked says nothing. */
const LONGEST_STEP_MS = 5_000
/** The reason of a camera whose box is out of contact: it is the box's outage that people are told of. */
export const OF_THE_EDGE = 'edge_offline'

/** What one look says of a box or a camera that should be on the air; the others are not shown to the tracker. */
export interface Seen {
  readonly online: boolean
  /** Stable code; of no meaning while online. */
  readonly motivo: string
  /** Epoch ms of its last sign of life; null: none is known. */
  readonly lastSign: number | null
}

/** An outage that is in the database and goes on. */
export interface Open {
  readonly motivo: string
}

export type Change<Key> = { readonly key: Key } & (
  | { readonly tipo: 'inicio'; readonly inicio: number; readonly motivo: string }
  /** It is the camera's own outage now: its box is back, and the camera is not. */
  | { readonly tipo: 'motivo'; readonly motivo: string }
  /** `voltou` false: it is switched off or gone, and did not come back. */
  | { readonly tipo: 'fim'; readonly fim: number; readonly voltou: boolean }
)

interface Look<Key> {
  readonly seen: ReadonlyMap<Key, Seen>
  readonly open: ReadonlyMap<Key, Open>
  /** Wall clock, epoch ms. */
  readonly now: number
  /** Monotonic ms. */
  readonly at: number
  /** False: the cloud itself sees too little to blame anybody. */
  readonly mayBegin: boolean
}

interface Watched {
  readonly online: boolean
  /** Wall clock of the first look that found it so. */
  readonly since: number
  /** How long it has been so without a break, and how long offline for another reason than its box, ms. */
  readonly heldMs: number
  readonly ownMs: number
  /** Whether its last sign of life is when it went: not, when it came into view only later. */
  readonly knowsSign: boolean
}

/**
 * Turns looks into outages. Holds only what it has seen: outages that go on are given to it, so that a restart forgets
 * nothing. What it returns is to be written before the next look, which proposes again what was not.
 */
export function createQuedaTracker<Key>() {
  let watched: ReadonlyMap<Key, Watched> | null = null
  let lastAt = 0

  return {
    look({ seen, open, now, at, mayBegin }: Look<Key>): Change<Key>[] {
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
