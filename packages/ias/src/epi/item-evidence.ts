import type { EpiSight } from '../tasks/epi.ts'
import type { ItemEpi } from './catalogue.ts'

/** Label under which the epi model sees that the item is missing. */
export const rotuloFalta = { capacete: 'no_hardhat', colete: 'no_vest' } as const satisfies Record<ItemEpi, string>

/** `null`: not known (yet): nothing was seen of it, or too little, or both. */
type Verdict = 'falta' | 'usa' | null

/** What was seen of one item on one person. */
export interface ItemEvidence {
  look(sight: EpiSight, streamMs: number): void
  verdict(): Verdict
  /** At least one recent look saw it missing. */
  suspected(): boolean
  /** Mean confidence of the looks that saw it missing, 0–1. */
  confidence(): number
  forget(): void
}

interface Vote {
  readonly atMs: number
  readonly missing: number
  readonly worn: number
}

/** One side must weigh this many times the other: a head beside a helmet on a neighbour must not decide. */
const CLEARLY = 2
/** A helmet speaks for itself from this fraction of `conf` on: nobody is accused whose helmet was half recognised. */
const WORN_SHARE = 0.5
/** What was seen longer ago may have been put on or off since, ms. */
const RECENT_MS = 30_000
/** Looks are two or three a second at best, and many say nothing: who asks for many of them waits longer for so much a look, ms. */
const RECENT_MS_A_LOOK = 6_000

/** Confidence that the item is missing, and that it is worn. */
export const seenOf = (item: ItemEpi, { hardhat, noHardhat, vest, noVest }: EpiSight): [number, number] =>
  item === 'capacete' ? [noHardhat, hardhat] : [noVest, vest]

/** What one look says: missing with `conf` and rather than worn; worn already with half of it; else nothing. */
function voteOf(missing: number, worn: number, conf: number): Verdict {
  if (missing >= conf && missing > worn) return 'falta'
  return worn >= conf * WORN_SHARE && worn >= missing ? 'usa' : null
}

/**
 * Missing is what at least `minLooks` of the last `2 · minLooks` telling looks saw missing, and clearly more surely than worn. A look that sees
 * neither (too far, the head hidden, seen from behind a shelf) is no vote: unknown never becomes missing.
 */
export function createItemEvidence(item: ItemEpi, conf: number, minLooks: number): ItemEvidence {
  const recentMs = Math.max(RECENT_MS, minLooks * RECENT_MS_A_LOOK)
  let votes: Vote[] = []
  const sum = (side: 'missing' | 'worn') => votes.reduce((total, vote) => total + vote[side], 0)
  const against = () => votes.filter(({ missing, worn }) => voteOf(missing, worn, conf) === 'falta')
  return {
    look(sight, streamMs) {
      const [missing, worn] = seenOf(item, sight)
      if (voteOf(missing, worn, conf) !== null) votes.push({ atMs: streamMs, missing, worn })
      votes = votes.filter(({ atMs }) => streamMs - atMs <= recentMs).slice(-2 * minLooks)
    },
    verdict() {
      if (votes.length === 0) return null
      if (against().length >= minLooks && sum('missing') >= CLEARLY * sum('worn')) return 'falta'
      return sum('worn') >= CLEARLY * sum('missing') ? 'usa' : null
    },
    suspected: () => against().length > 0,
    confidence() {
      const seen = against()
      return seen.length === 0 ? 0 : seen.reduce((total, vote) => total + vote.missing, 0) / seen.length
    },
    forget() {
      votes = []
    },
  }
}

/** What a single look at a person says is missing. */
export const missingInLook = (sight: EpiSight, required: readonly ItemEpi[], conf: number): ItemEpi[] =>
  required.filter((item) => voteOf(...seenOf(item, sight), conf) === 'falta')
