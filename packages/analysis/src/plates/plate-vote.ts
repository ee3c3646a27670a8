import type { PlateReading } from './plate-syntax.ts'

export interface VotedPlate extends PlateReading {
  /** Frames with a reading. */
  readonly frames: number
  /** The other texts, best first. */
  readonly candidates: readonly PlateReading[]
}

/** Combines the readings of one vehicle over its frames. */
export interface PlateVote {
  /**
   * Adds the readings of one frame: the best one and its candidates. A frame without readings says nothing.
   * @param heightPx height of the text: larger text is read more reliably
   */
  add(readings: readonly PlateReading[], heightPx: number): void
  /** Null before the first reading. */
  result(): VotedPlate | null
}

/** Chance of a text in a frame that does not name it. */
const ABSENT = 0.02
/** Chance, in each frame, that the plate reads as none of the texts seen. */
const NONE = 0.03
/** Neighbouring frames share their blur and their light, so each counts for less than an independent one. */
const INDEPENDENCE = 0.5
const CANDIDATES_MAX = 4

export function createPlateVote(): PlateVote {
  const frames: { readonly readings: readonly PlateReading[]; readonly heightPx: number }[] = []
  return {
    add(readings, heightPx) {
      if (readings.length > 0) frames.push({ readings, heightPx })
    },
    result() {
      if (frames.length === 0) return null
      const largestPx = Math.max(...frames.map(({ heightPx }) => heightPx))
      const texts = new Map<string, Text>()
      let [base, none] = [0, 0]
      for (const { readings, heightPx } of frames) {
        const weight = INDEPENDENCE * (heightPx / largestPx) ** 2
        base += weight * Math.log(ABSENT)
        none += weight * Math.log(NONE)
        for (const [key, reading] of bestOfEachText(readings)) {
          const text = texts.get(key) ?? { reading, gain: 0 }
          text.gain += weight * Math.log(Math.max(ABSENT, reading.chance) / ABSENT)
          texts.set(key, text)
        }
      }
      const sums = [...texts.values()].map(({ reading, gain }) => ({ reading, sum: base + gain }))
      const largest = Math.max(none, ...sums.map(({ sum }) => sum))
      const total = sums.reduce((all, { sum }) => all + Math.exp(sum - largest), Math.exp(none - largest))
      const voted = sums
        .map(({ reading, sum }) => ({ ...reading, chance: Math.exp(sum - largest) / total }))
        .sort((a, b) => b.chance - a.chance)
      const [first, ...candidates] = voted
      return first ? { ...first, frames: frames.length, candidates: candidates.slice(0, CANDIDATES_MAX) } : null
    },
  }
}

interface Text {
  readonly reading: PlateReading
  /** Sum of weighted logarithms, less that of a text that no frame names. */
  gain: number
}

function bestOfEachText(readings: readonly PlateReading[]): Map<string, PlateReading> {
  const best = new Map<string, PlateReading>()
  for (const reading of readings) {
    const key = `${reading.syntax.pais} ${reading.syntax.forma} ${reading.placa}`
    if (reading.chance > (best.get(key)?.chance ?? 0)) best.set(key, reading)
  }
  return best
}
