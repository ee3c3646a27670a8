import { areaOf, type Box, overlapOf } from './geometry.ts'
import type { ObservedTrack } from './observation.ts'

/**
 * Remembers who was alerted already. A track is what the tracker could follow; a presence is one visit of one person. A
 * track that begins near where an alerted presence was last seen, soon after, is taken for the same person: the tracker
 * lost it behind a column, or the process was restarted. A track that began elsewhere is somebody else.
 */
export interface PresenceMemory {
  /** Follow the tracks of one frame. Once a frame, before the questions below. */
  observe(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  isAlerted(trackId: number): boolean
  /** Frames in which something moved under the track's box. */
  motionFrames(trackId: number): number
  markAlerted(track: ObservedTrack, epochMs: number, streamMs: number): void
  saved(): SavedPresence[]
}

/** What survives a restart: last place, speed (fractions of the frame a second) and edge clock. */
export interface SavedPresence {
  readonly box: Box
  readonly vx: number
  readonly vy: number
  readonly seenAt: number
}

/** Somebody who comes back into sight this long after is the same only on the very same spot … */
const SAME_SPOT_MS = 30_000
const SAME_SPOT_OVERLAP = 0.3
/** … and this long after also within walking distance. */
const NEARBY_MS = 10_000
/** Walking distance in box widths (a person's box is about half as wide as high): at once, per second, at most. */
const REACH = 1
const REACH_PER_S = 1.5
const REACH_MAX = 4
/** How much the box's area may have changed. */
const SIZE_RATIO = 2.5
/** A new track may be recognised during its first moments only. */
const RECOGNISE_MS = 1_000
/** Beyond this a straight extrapolation says nothing. */
const EXTRAPOLATE_S = 2
/** Seen last at the border and on its way out: gone, unless it flickers back within this. */
const LEFT_MS = 1_000
const BORDER = 0.02
const LEAVING_PER_S = 0.25
/** Fraction of the box that must move to count as motion: above what noise and compression leave. */
const MOTION_MIN = 0.05

interface Presence {
  box: Box
  vx: number
  vy: number
  seenAt: number
  seenStreamMs: number
  /** Track that shows it; others may have shown it before. */
  trackId: number | null
}

interface Known {
  readonly sinceMs: number
  motionFrames: number
  presence: Presence | null
  /** Proved to be somebody else than the presence that it was taken for. */
  distinct: boolean
}

export function createPresenceMemory(saved: readonly SavedPresence[] = []): PresenceMemory {
  const known = new Map<number, Known>()
  const presences = new Set<Presence>()
  let pending: readonly SavedPresence[] = saved

  /** The monotonic clock of the process before is gone: ages come from the wall clock, once. */
  const restore = (epochMs: number, streamMs: number) => {
    for (const one of pending) {
      const age = Math.max(0, epochMs - one.seenAt)
      presences.add({ ...one, seenStreamMs: streamMs - age, trackId: null })
    }
    pending = []
  }

  const forget = (tracks: readonly ObservedTrack[], streamMs: number) => {
    const live = new Set(tracks.map((track) => track.id))
    for (const id of known.keys()) if (!live.has(id)) known.delete(id)
    for (const presence of presences) {
      if (presence.trackId !== null && !live.has(presence.trackId)) presence.trackId = null
      if (presence.trackId === null && streamMs - presence.seenStreamMs > SAME_SPOT_MS) presences.delete(presence)
    }
  }

  const follow = (track: ObservedTrack, presence: Presence, epochMs: number, streamMs: number) => {
    const seconds = (streamMs - presence.seenStreamMs) / 1000
    if (seconds > 0) {
      // Half old, half new: single frames jitter by more than a slow walk moves.
      presence.vx = (presence.vx + (centre(track.box).x - centre(presence.box).x) / seconds) / 2
      presence.vy = (presence.vy + (centre(track.box).y - centre(presence.box).y) / seconds) / 2
    }
    presence.box = track.box
    presence.seenAt = epochMs
    presence.seenStreamMs = streamMs
  }

  const recognise = (tracks: readonly ObservedTrack[], seen: ReadonlySet<Presence>, streamMs: number) => {
    const pairs = tracks.flatMap((track) => {
      const entry = known.get(track.id)
      if (!entry || entry.presence || entry.distinct || streamMs - entry.sinceMs > RECOGNISE_MS) return []
      return [...presences]
        .filter((presence) => !seen.has(presence))
        .map((presence) => ({ entry, track, presence, cost: distance(presence, track.box, streamMs) }))
        .filter(({ cost }) => cost !== null)
    })
    const taken = new Set<Presence>()
    for (const { entry, track, presence } of pairs.sort((a, b) => (a.cost ?? 0) - (b.cost ?? 0))) {
      if (entry.presence || taken.has(presence)) continue
      entry.presence = presence
      presence.trackId = track.id
      taken.add(presence)
    }
  }

  return {
    observe(tracks, epochMs, streamMs) {
      restore(epochMs, streamMs)
      forget(tracks, streamMs)
      const seen = new Set<Presence>()
      // Oldest first: when two tracks claim one presence, the one that was there before keeps it.
      const matched = tracks.filter((track) => !track.predicted).sort((a, b) => a.id - b.id)
      for (const track of matched) {
        const entry = known.get(track.id) ?? { sinceMs: streamMs, motionFrames: 0, presence: null, distinct: false }
        known.set(track.id, entry)
        if (track.motion >= MOTION_MIN) entry.motionFrames++
        if (!entry.presence) continue
        if (seen.has(entry.presence)) {
          // Two tracks in one frame are two people: the younger track was taken for the wrong one.
          entry.presence = null
          entry.distinct = true
          continue
        }
        seen.add(entry.presence)
        entry.presence.trackId = track.id
        follow(track, entry.presence, epochMs, streamMs)
      }
      recognise(matched, seen, streamMs)
      for (const track of matched) {
        const presence = known.get(track.id)?.presence
        if (presence && !seen.has(presence)) follow(track, presence, epochMs, streamMs)
      }
    },
    isAlerted: (trackId) => (known.get(trackId)?.presence ?? null) !== null,
    motionFrames: (trackId) => known.get(trackId)?.motionFrames ?? 0,
    markAlerted(track, epochMs, streamMs) {
      const presence = { box: track.box, vx: 0, vy: 0, seenAt: epochMs, seenStreamMs: streamMs, trackId: track.id }
      presences.add(presence)
      const entry = known.get(track.id)
      if (entry) entry.presence = presence
    },
    saved: () => [
      ...pending,
      ...[...presences].map(({ box, vx, vy, seenAt }) => ({
        box: { x: round(box.x), y: round(box.y), w: round(box.w), h: round(box.h) },
        vx: round(vx),
        vy: round(vy),
        seenAt,
      })),
    ],
  }
}

/** How far `box` is from where `presence` may be now; null: too far, too late, or of another size. */
function distance(presence: Presence, box: Box, streamMs: number): number | null {
  const gapMs = streamMs - presence.seenStreamMs
  const ratio = areaOf(box) / Math.max(areaOf(presence.box), 1e-9)
  if (ratio > SIZE_RATIO || ratio < 1 / SIZE_RATIO) return null
  if (isLeaving(presence) && gapMs > LEFT_MS) return null
  if (gapMs <= SAME_SPOT_MS && overlapOf(presence.box, box) >= SAME_SPOT_OVERLAP) return 0
  if (gapMs > NEARBY_MS) return null
  const ahead = Math.min(gapMs / 1000, EXTRAPOLATE_S)
  const expected = { ...presence.box, x: presence.box.x + presence.vx * ahead, y: presence.box.y + presence.vy * ahead }
  const away = Math.min(boxWidths(presence.box, box), boxWidths(expected, box))
  return away <= Math.min(REACH_MAX, REACH + (REACH_PER_S * gapMs) / 1000) ? away : null
}

/** Distance of the centres in box widths; one box height counts as two widths, the shape of a standing person. */
function boxWidths(a: Box, b: Box): number {
  const dx = (centre(a).x - centre(b).x) / Math.max(a.w, b.w, 1e-6)
  const dy = (2 * (centre(a).y - centre(b).y)) / Math.max(a.h, b.h, 1e-6)
  return Math.hypot(dx, dy)
}

function isLeaving({ box, vx, vy }: Presence): boolean {
  const right = box.x + box.w >= 1 - BORDER && vx > LEAVING_PER_S * box.w
  const left = box.x <= BORDER && vx < -LEAVING_PER_S * box.w
  const down = box.y + box.h >= 1 - BORDER && vy > LEAVING_PER_S * box.h
  const up = box.y <= BORDER && vy < -LEAVING_PER_S * box.h
  return right || left || down || up
}

const centre = (box: Box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 })
const round = (value: number) => Math.round(value * 10_000) / 10_000
