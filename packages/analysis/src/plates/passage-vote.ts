import type { PlateReading } from './plate-syntax.ts'
import { createPlateVote, type VotedPlate } from './plate-vote.ts'

/** The readings of one frame. */
export interface FrameReadings {
  readonly readings: readonly PlateReading[]
  /** Height of the text, in pixels of the frame. */
  readonly heightPx: number
}

/** The vote of all readings of one passage. */
export interface PassageVote {
  /** null: no text was read so far. */
  readonly result: VotedPlate | null
  readonly frames: readonly FrameReadings[]
  /** Whether further frames hardly change the vote. */
  settled(): boolean
  /** Whether the vote holds above the threshold. `lastMs`: stream time of the last detection. */
  isDecided(lastMs: number): boolean
  readonly reads: number
  /** Stream time of the last reading, and the width of the vehicle then, as a fraction of the frame. */
  readonly lastRead: { readonly streamMs: number; readonly w: number }
  /** Counts a reading; without a text it has no vote. */
  add(reading: FrameReadings, at: PassageVote['lastRead']): void
  /** Takes over the readings of the same vehicle. */
  absorb(frames: readonly FrameReadings[]): void
}

/** Chance and number of frames from which further frames hardly change the vote. */
const SETTLED = { chance: 0.97, frames: 3 } as const
/** Time after the first readable frame at which the best text counts, also if frames disagree. */
const DECIDE_MS = 800
/** Consecutive frames with the same best text that decide. */
const AGREEING = 2

/** `confPlaca`: a vote below it is a candidate. */
export function createPassageVote(confPlaca: number): PassageVote {
  let frames: FrameReadings[] = []
  let vote: VotedPlate | null = null
  let agreeing = 0
  let readableMs: number | null = null
  let reads = 0
  let lastRead: PassageVote['lastRead'] = { streamMs: Number.NEGATIVE_INFINITY, w: 0 }

  const isSure = (): boolean => (vote?.chance ?? 0) >= confPlaca
  const settled = (): boolean => (vote?.chance ?? 0) >= SETTLED.chance && (vote?.frames ?? 0) >= SETTLED.frames

  function count() {
    const votes = createPlateVote()
    for (const { readings, heightPx } of frames) votes.add(readings, heightPx)
    const next = votes.result()
    agreeing = next && next.placa === vote?.placa ? agreeing + 1 : 1
    vote = next
  }

  return {
    get result() {
      return vote
    },
    get frames() {
      return frames
    },
    settled,
    isDecided: (lastMs) =>
      isSure() && (settled() || agreeing >= AGREEING || (readableMs !== null && lastMs - readableMs >= DECIDE_MS)),
    get reads() {
      return reads
    },
    get lastRead() {
      return lastRead
    },
    add({ readings, heightPx }, at) {
      reads++
      lastRead = at
      if (readings.length === 0) return
      // Only these fields: evidence holds the frame.
      frames.push({ readings, heightPx })
      if ((readings[0]?.chance ?? 0) >= confPlaca) readableMs ??= at.streamMs
      count()
    },
    absorb(others) {
      frames = [...frames, ...others]
      count()
    },
  }
}
