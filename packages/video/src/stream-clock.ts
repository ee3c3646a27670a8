/** A step of stream time longer than this is believed only when about as much real time has passed. */
const longStepMs = 5000
/** What a frame lasts when nothing else is known (25 pictures a second). */
const defaultStepMs = 40

/** Latest timestamps that are kept to recognise a reordered picture; no codec holds back more pictures (H.264 A.3.1). */
const recentTimestamps = 16
/** A hole for a reordered picture is wider than one picture; timestamps jitter. */
const holeSteps = 1.5

interface StreamClock {
  /**
   * Stream time of the next packet in milliseconds: 0 for the first, then increasing whatever the peer's timestamps do, except for
   * a reordered picture. `ptsMs` null: the packet carries none. `wallMs`: monotonic real time of its arrival. `fps`: what the
   * stream claims, for where nothing better is known. `keyframe`: it is not reordered.
   */
  advance(ptsMs: number | null, wallMs: number, fps: number | null, keyframe?: boolean): number
}

/**
 * RTP timestamps start anywhere, jump when the first RTCP report arrives, wrap, and leap when a recorder sets its clock.
 * A small step forward is taken as it is (also in a burst after a network pause); any other is replaced by the real time
 * that passed. Files have no real time: `live` false takes every step forward and replaces only steps back.
 *
 * Packets come in decoding order. A picture that is shown between two earlier ones (B-frame) fills a hole that they left, and a
 * clock that is set back does not: its timestamps repeat.
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
    // With few pictures seen, each gap may be a hole.
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
  /** Whether the frame at `timestampMs` is due. Does not move on by itself: call `taken` for a frame handed on. */
  due(timestampMs: number): boolean
  taken(timestampMs: number): void
}

/** Picks frames on a grid of 1/maxFps seconds of stream time; without `maxFps` every frame is due. */
export function createFrameSampler(maxFps?: number): FrameSampler {
  if (maxFps === undefined) return { due: () => true, taken: () => {} }
  const interval = 1000 / maxFps
  let next = 0
  return {
    // 1 ms of tolerance: 90 kHz timestamps rounded to milliseconds must not push a frame off the grid.
    due: (timestampMs) => timestampMs + 1 >= next,
    taken(timestampMs) {
      // Keep to the grid (no drift against a stream of another rate), but never make up for a gap with a burst.
      next = Math.max(next + interval, timestampMs + interval / 2)
    },
  }
}
