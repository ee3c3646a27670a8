/** A longer step of stream time is accepted only when about as much real time has passed. */
const longStepMs = 5000
/** Default duration of a frame (25 pictures a second). */
const defaultStepMs = 40

/** Number of stored timestamps for the detection of reordered pictures; no codec delays more pictures (H.264 A.3.1). */
const recentTimestamps = 16
/** Minimum gap for a reordered picture, in picture durations; timestamps jitter. */
const holeSteps = 1.5

interface StreamClock {
  /**
   * Stream time of the next packet, in ms: 0 for the first, then increasing for any timestamps of the peer, except for
   * reordered pictures. `ptsMs` is null if the packet has no presentation time. `wallMs`: monotonic real time of
   * arrival. `fps`: the declared rate, used without better data. `keyframe`: the packet is not reordered.
   */
  advance(ptsMs: number | null, wallMs: number, fps: number | null, keyframe?: boolean): number
}

/**
 * RTP timestamps have any origin, wrap, and jump with the first RTCP report or when a recorder sets its clock. A small
 * step forward is accepted, also in a burst after a network pause. Any other step is replaced by the elapsed real time.
 * Files have no real time: with `live` false every step forward is accepted and only steps back are replaced.
 *
 * Packets come in decoding order. A picture between two earlier ones (B-frame) fills a gap in their timestamps. After a
 * clock is set back, its timestamps repeat and fill no gap.
 */
export function createStreamClock(options: { readonly live: boolean }): StreamClock {
  let now: number | null = null
  let lastPts: number | null = null
  let lastWall = 0
  let recent: number[] = []

  const plausible = (delta: number, wallDelta: number): boolean =>
    delta > 0 && (!options.live || delta <= longStepMs || Math.abs(delta - wallDelta) <= longStepMs)

  const fillsHole = (pts: number): boolean => {
    const sorted = recent.toSorted((a, b) => a - b)
    const index = sorted.findIndex((known) => known > pts)
    const [before, after] = [sorted[index - 1], sorted[index]]
    if (before === undefined || after === undefined || before === pts) return false
    // With fewer than four timestamps, every gap may belong to a reordered picture.
    if (sorted.length < 4) return true
    const shortest = Math.min(...sorted.slice(1).map((known, i) => known - (sorted[i] ?? 0)))
    return after - before >= shortest * holeSteps
  }

  return {
    advance(ptsMs, wallMs, fps, keyframe = true) {
      const step = fps === null ? defaultStepMs : 1000 / fps
      const wallDelta = wallMs - lastWall
      lastWall = wallMs
      const delta = ptsMs === null || lastPts === null ? null : ptsMs - lastPts
      if (now === null) now = 0
      else if (delta !== null && plausible(delta, wallDelta)) now += delta
      else if (ptsMs !== null && delta !== null && delta < 0 && !keyframe && fillsHole(ptsMs)) {
        recent.push(ptsMs)
        return now + delta
      } else {
        now += delta === null || !options.live ? step : Math.max(1, wallDelta)
        if (delta !== null) recent = []
      }
      lastPts = ptsMs ?? (lastPts === null ? null : lastPts + step)
      if (lastPts !== null) recent.push(lastPts)
      if (recent.length > recentTimestamps) recent.splice(0, recent.length - recentTimestamps)
      return now
    },
  }
}

interface FrameSampler {
  /** Whether the frame at `timestampMs` is due. Call `taken` for each frame that is passed on. */
  due(timestampMs: number): boolean
  taken(timestampMs: number): void
}

/** Picks frames on a grid of 1/maxFps seconds of stream time; without `maxFps` every frame is due. */
export function createFrameSampler(maxFps?: number): FrameSampler {
  if (maxFps === undefined) return { due: () => true, taken: () => {} }
  const interval = 1000 / maxFps
  let next = 0
  return {
    // The tolerance of 1 ms absorbs the rounding of 90 kHz timestamps to milliseconds.
    due: (timestampMs) => timestampMs + 1 >= next,
    taken(timestampMs) {
      // Stays on the grid, so that the rate does not drift, and skips the grid points of a gap.
      next = Math.max(next + interval, timestampMs + interval / 2)
    },
  }
}
