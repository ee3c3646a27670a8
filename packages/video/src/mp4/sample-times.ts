/** A picture with its times in ticks. */
export interface Timed<T> {
  readonly item: T
  /** Decoding time; increases strictly. */
  readonly dts: number
  readonly duration: number
  /** Presentation time minus decoding time; negative in streams with reordered pictures. */
  readonly offset: number
}

export interface SampleTimes<T> {
  /** Adds a picture in decoding order; returns the pictures whose duration is now known. */
  push(item: T, pts: number): Timed<T>[]
  /** Returns the remaining pictures; the last one lasts as long as the one before. */
  flush(): Timed<T>[]
}

/** No codec delays more pictures (H.264 A.3.1). */
export const MOST_REORDERED = 16
/** Pictures that wait for each other at the start of a stream. */
const LEARNING = 4

/**
 * Gives pictures decoding times, which RTP does not carry. The n-th decoded picture gets the n-th presentation time, so
 * that a stream without reordered pictures keeps its times. The first pictures of a stream show how many later ones
 * must be known (B-frames). If reordering begins later, decoding times advance by at least one tick. `depth`: the
 * number of later pictures, where it is known in advance.
 *
 * The duration of a picture ends with the next one, so the sum of all durations is exact and no gap remains.
 */
export function createSampleTimes<T>(options: { depth?: number } = {}): SampleTimes<T> {
  let depth = options.depth ?? 0
  let learning = options.depth === undefined ? LEARNING : 0
  let waiting: { readonly item: T; readonly pts: number }[] = []
  /** Presentation times that are no decoding time yet, ascending. */
  let unused: number[] = []
  let recent: number[] = []
  /** Has a decoding time but no duration. */
  let held: { readonly item: T; readonly pts: number; readonly dts: number } | null = null
  let lastDuration: number | null = null

  const release = (duration: number): Timed<T>[] => {
    if (held === null) return []
    const { item, pts, dts } = held
    held = null
    lastDuration = duration
    return [{ item, dts, duration, offset: pts - dts }]
  }

  const place = (): Timed<T>[] => {
    const next = waiting.shift()
    const shown = unused.shift()
    if (next === undefined || shown === undefined) return []
    const dts = held === null ? shown : Math.max(shown, held.dts + 1)
    const released = held === null ? [] : release(dts - held.dts)
    held = { ...next, dts }
    return released
  }

  const insert = (pts: number) => {
    const at = unused.findLastIndex((known) => known <= pts)
    unused.splice(at + 1, 0, pts)
  }

  return {
    push(item, pts) {
      const later = recent.filter((known) => known > pts).length
      depth = Math.min(MOST_REORDERED, Math.max(depth, later))
      recent = [...recent.slice(1 - MOST_REORDERED), pts]
      insert(pts)
      waiting.push({ item, pts })
      const done: Timed<T>[] = []
      if (learning > 0) learning--
      else while (waiting.length > depth) done.push(...place())
      return done
    },
    flush() {
      const done: Timed<T>[] = []
      while (waiting.length > 0) done.push(...place())
      done.push(...release(lastDuration ?? DEFAULT_DURATION))
      unused = []
      recent = []
      waiting = []
      return done
    },
  }
}

/** Ticks a second: the RTP clock of both codecs (RFC 6184 8.2.1, RFC 7798 7.1). */
export const TIMESCALE = 90_000
/** Duration in a stream with one picture. */
const DEFAULT_DURATION = TIMESCALE / 25
