import type { EpiEvidence } from '../tasks/epi.ts'
import type { ItemEpi } from './catalogue.ts'

/** Label of the epi model for a missing item. */
export const rotuloFalta = { capacete: 'no_hardhat', colete: 'no_vest' } as const satisfies Record<ItemEpi, string>

/** `null`: unknown, because the evidence is missing, too little or contradictory. */
type Verdict = 'falta' | 'usa' | null

/** Evidence of one item on one person. */
export interface ItemEvidence {
  add(evidence: EpiEvidence, streamMs: number): void
  verdict(): Verdict
  /** Whether the item was missing in at least one recent inference. */
  suspected(): boolean
  /** Mean confidence of the inferences in which the item was missing, 0–1. */
  confidence(): number
  /** Whether a cap or hat covers the head without hard hat. */
  capped(): boolean
  forget(): void
}

interface Vote {
  readonly atMs: number
  readonly missing: number
  readonly worn: number
  readonly cap: number
}

/** Required ratio between the two sums of confidence: a head beside a neighbour's helmet must not decide. */
const CLEARLY = 2
/** Share of the confidence in a missing hard hat from which the head has a cap or hat. */
const CAP_SHARE = 0.5
/** A worn item counts from this fraction of `conf` on, so that a helmet of low confidence prevents an event. */
const WORN_SHARE = 0.5
/** Age up to which evidence counts: the item may have been put on or off since. */
const RECENT_MS = 30_000
/** Age limit per required inference: at most three inferences run per second, and many give no evidence. */
const RECENT_PER_INFERENCE_MS = 6_000

/** Confidences `[missing, worn]` of the item. */
export const seenOf = (item: ItemEpi, { hardhat, noHardhat, vest, noVest }: EpiEvidence): [number, number] =>
  item === 'capacete' ? [noHardhat, hardhat] : [noVest, vest]

/** Verdict of one inference: missing from `conf` on and above worn; worn from half of `conf` on; else null. */
function voteOf(missing: number, worn: number, conf: number): Verdict {
  if (missing >= conf && missing > worn) return 'falta'
  return worn >= conf * WORN_SHARE && worn >= missing ? 'usa' : null
}

/**
 * An item is missing if at least `minInferences` of the last `2 · minInferences` votes say so, with clearly more
 * confidence than worn. An inference without either (too far, head hidden, person behind a shelf) is no vote: unknown
 * never becomes missing.
 */
export function createItemEvidence(item: ItemEpi, conf: number, minInferences: number): ItemEvidence {
  const recentMs = Math.max(RECENT_MS, minInferences * RECENT_PER_INFERENCE_MS)
  let votes: Vote[] = []
  const sum = (side: 'missing' | 'worn') => votes.reduce((total, vote) => total + vote[side], 0)
  const against = () => votes.filter(({ missing, worn }) => voteOf(missing, worn, conf) === 'falta')
  return {
    add(evidence, streamMs) {
      const [missing, worn] = seenOf(item, evidence)
      if (voteOf(missing, worn, conf) !== null) votes.push({ atMs: streamMs, missing, worn, cap: evidence.cap })
      votes = votes.filter(({ atMs }) => streamMs - atMs <= recentMs).slice(-2 * minInferences)
    },
    verdict() {
      if (votes.length === 0) return null
      if (against().length >= minInferences && sum('missing') >= CLEARLY * sum('worn')) return 'falta'
      return sum('worn') >= CLEARLY * sum('missing') ? 'usa' : null
    },
    suspected: () => against().length > 0,
    confidence() {
      const seen = against()
      return seen.length === 0 ? 0 : seen.reduce((total, vote) => total + vote.missing, 0) / seen.length
    },
    capped() {
      const sum = (side: 'missing' | 'cap') => against().reduce((total, vote) => total + vote[side], 0)
      return sum('cap') > CAP_SHARE * sum('missing')
    },
    forget() {
      votes = []
    },
  }
}

/** Items that are missing in a single inference. */
export const missingInInference = (evidence: EpiEvidence, required: readonly ItemEpi[], conf: number): ItemEpi[] =>
  required.filter((item) => voteOf(...seenOf(item, evidence), conf) === 'falta')
