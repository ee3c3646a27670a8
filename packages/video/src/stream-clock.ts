/** A step of stream time longer than this is believed only when about as much real time has passed. */
const longStepMs = 5000
/** What a frame lasts when nothing else is known (25 pictures a second). */
const defaultStepMs = 40

interface StreamClock {
  /**
   * Stream time of the next frame in milliseconds: 0 for the first, then strictly increasing, whatever the peer's
   * timestamps do. `ptsMs` null: the frame carries none (the first one of an RTSP stream does not).
   * `wallMs`: monotonic real time of its arrival. `fps`: what the stream claims, for where nothing better is known.
   */
  advance(ptsMs: number | null, wallMs: number, fps: number | null): number
}

/**
 * RTP timestamps start anywhere, jump when the first RTCP report arrives, wrap, and leap when a recorder sets its clock.
 * A small step forward is taken as it is (also in a burst after a network pause); any other is replaced by the real time
 * that passed. Files have no real time: `live` false takes every step forward and replaces only steps back.
 */
export function createStreamClock(options: { readonly live: boolean }): StreamClock {
  let now: number | null = null
  let lastPts: number | null = null
  let lastWall = 0

  const plausible = (delta: number, wallDelta: number): boolean =>
    delta > 0 && (!options.live || delta <= longStepMs || Math.abs(delta - wallDelta) <= longStepMs)

  return {
    advance(ptsMs, wallMs, fps) {
      const step = fps === null ? defaultStepMs : 1000 / fps
      if (now === null) now = 0
      else {
        const delta = ptsMs === null || lastPts === null ? null : ptsMs - lastPts
        const wallDelta = wallMs - lastWall
        if (delta !== null && plausible(delta, wallDelta)) now += delta
        else if (delta === null || !options.live) now += step
        else now += Math.max(1, wallDelta)
      }
      lastPts = ptsMs ?? (lastPts === null ? null : lastPts + step)
      lastWall = wallMs
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
