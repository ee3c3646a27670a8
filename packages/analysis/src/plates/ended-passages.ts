import type { Passage } from './passage.ts'
import { distance, SIMILAR } from './plate-distance.ts'

/** Passages that ended a moment ago, of which a vehicle may still be seen again. */
export interface EndedPassages {
  /** Ends a passage that has no track any more. */
  add(passage: Passage): void
  /** Reports ended passages without a plate that no other passage took over. */
  settle(streamMs: number): void
  find(isWanted: (passage: Passage) => boolean): Passage | undefined
  /** The passage continues. */
  remove(passage: Passage): void
  /** Reports all passages that need it, also the open ones. */
  finish(): void
}

interface EndedPassagesOptions {
  /** The passages with a track. */
  open(): Iterable<Passage>
  report(passage: Passage, end: boolean): void
}

/** Time in which a vehicle with the same plate is the same passage, unless it has crossed the line. */
const SAME_MS = 60_000
/** The same after a crossing: the tracker lost it. */
export const SPLIT_MS = 5_000

export function createEndedPassages({ open, report }: EndedPassagesOptions): EndedPassages {
  /** Passages that ended less than SAME_MS ago. */
  let ended: Passage[] = []
  /** Ended passages that need no report any more. */
  const done = new WeakSet<Passage>()

  /** Whether a passage without a plate shows a vehicle that another passage has read, too. */
  function isPartOfOther(passage: Passage): boolean {
    const text = passage.text()
    if (text === null) return false
    return [...open(), ...ended].some((other) => {
      if (other === passage) return false
      // The later of two passages without a plate is reported.
      const isLater = other.moved && other.lastMs > passage.lastMs
      const placa = other.placa() ?? (isLater ? other.text() : null)
      const isNear = Math.abs(other.lastMs - passage.lastMs) <= 2 * SPLIT_MS
      return placa !== null && isNear && distance(placa, text) <= SIMILAR
    })
  }

  return {
    add(passage) {
      // A passage without a plate may be a part of another one, which is decided soon.
      if (passage.reported || passage.placa() !== null || passage.text() === null) {
        report(passage, true)
        if (!passage.reported) done.add(passage)
      }
      ended.push(passage)
    },
    settle(streamMs) {
      for (const passage of ended) {
        if (passage.reported || streamMs - passage.lastMs < SPLIT_MS) continue
        if (!isPartOfOther(passage)) report(passage, true)
        done.add(passage)
      }
      ended = ended.filter((passage) => streamMs - passage.lastMs <= SAME_MS && !done.has(passage))
    },
    find: (isWanted) => ended.find(isWanted),
    remove(passage) {
      ended = ended.filter((other) => other !== passage)
    },
    finish() {
      for (const passage of new Set([...open(), ...ended])) {
        if (done.has(passage) || (ended.includes(passage) && passage.reported)) continue
        if (passage.placa() !== null || passage.reported || !isPartOfOther(passage)) report(passage, true)
      }
      ended = []
    },
  }
}
