import { areaOf, type Box, overlapOf } from './geometry.ts'
import type { ObservedTrack } from './observation.ts'

/**
 * One stay of one object in view, whatever number its track has: a track that begins near where a visit was last seen, soon after, is
 * taken for the same object (the tracker lost it behind a column, or the process was restarted); one that began elsewhere is another.
 */
export interface Visit<Data extends object> {
  readonly data: Data
  /** Where it was last seen. */
  readonly box: Box
  /** ms between the last sighting and the one before. */
  readonly sinceBeforeMs: number
}

/** The visits that an analysis has reason to remember, each with what it wants to know about it. */
export interface Visits<Data extends object> {
  /** Follow the tracks of one frame. Once a frame, before the questions below. */
  observe(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  /** Remember this track from now on. */
  begin(track: ObservedTrack, data: Data, epochMs: number, streamMs: number): Visit<Data>
  /** The visit that this track shows; null: none is remembered. */
  of(trackId: number): Visit<Data> | null
  forget(visit: Visit<Data>): void
  /** Every visit remembered, also those that no track shows at the moment. */
  all(): Iterable<Visit<Data>>
  /** Frames in which something moved under the track's box. */
  motionFrames(trackId: number): number
  /** Where the track was seen first; null: it is not known. */
  beganAt(trackId: number): Box | null
  saved(): SavedVisit<Data>[]
}

/** What survives a restart: last place, speed (fractions of the frame a second) and edge clock. */
export interface SavedPlace {
  readonly box: Box
  readonly vx: number
  readonly vy: number
  readonly seenAt: number
}

export interface SavedVisit<Data extends object> extends SavedPlace {
  readonly data: Data
}

export interface VisitOptions<Data extends object> {
  readonly saved?: readonly SavedVisit<Data>[]
  /** How long a visit that is not seen is known again on the very same spot, ms; default: 30 s. */
  readonly sameSpotMs?: (data: Data) => number
  /** Height of such an object in its own widths; default: a standing person. */
  readonly heightInWidths?: number
  /**
   * After a restart several tracks may be the one that was remembered. All of them stand for it until one does what the analysis
   * looks for: that one it was, the others are others. Default: the nearest, at once.
   */
  readonly counts?: (track: ObservedTrack) => boolean
}

/** Somebody who comes back into sight this long after is the same only on the very same spot … */
const SAME_SPOT_MS = 30_000
const SAME_SPOT_OVERLAP = 0.3
/** … which must be met better when it has been longer; */
const LONG_AFTER_OVERLAP = 0.5
/** … and this long after also within walking distance. */
const NEARBY_MS = 10_000
/** Walking distance in box widths: at once, per second, at most. */
const REACH = 1
const REACH_PER_S = 1.5
const REACH_MAX = 4
/** After a restart, when nobody followed in between and all who may be meant are spared: a brisk walk (2 m/s, half a metre wide). */
const RESTORED_PER_S = 4
const RESTORED_MAX = 8
/** How much the box's area may have changed. */
const SIZE_RATIO = 2.5
/** A new track may be recognised during its first moments only. */
const RECOGNISE_MS = 1_000
/** Beyond this a straight extrapolation says nothing. */
const EXTRAPOLATE_S = 2
/** How much of the way before says how fast somebody is, ms. */
const SPEED_OVER_MS = 1_000
/** Seen last at the border and on its way out: gone, unless it flickers back within this. */
const LEFT_MS = 1_000
const BORDER = 0.02
const LEAVING_PER_S = 0.25
/** Fraction of the box that must move to count as motion: above what noise and compression leave. */
const MOTION_MIN = 0.05
/** No more visits than this are remembered; those not seen for longest go first. */
const MOST = 300

interface Remembered<Data extends object> extends Visit<Data> {
  box: Box
  vx: number
  vy: number
  seenAt: number
  seenStreamMs: number
  sinceBeforeMs: number
  /** Track that shows it; others may have shown it before. */
  trackId: number | null
  /** null: it is certain whose visit this is. */
  doubt: Doubt<Data> | null
  /** How far from where it was expected its track began, box widths. */
  cost: number
}

/** A visit from before a restart that nobody has proved to be yet. Every track that may be it has a copy of its own. */
interface Doubt<Data extends object> {
  /** As it was restored. */
  readonly origin: Remembered<Data>
  readonly sinceMs: number
}

interface Known<Data extends object> {
  readonly sinceMs: number
  readonly beganAt: Box
  motionFrames: number
  visit: Remembered<Data> | null
  /** Proved to be another than the visit that it was taken for. */
  distinct: boolean
}

export function createVisits<Data extends object>(options: VisitOptions<Data> = {}): Visits<Data> {
  const { sameSpotMs = () => SAME_SPOT_MS, heightInWidths = 2, counts = () => true } = options
  const known = new Map<number, Known<Data>>()
  const visits = new Set<Remembered<Data>>()
  let pending = options.saved ?? []

  /** The monotonic clock of the process before is gone: ages come from the wall clock, once. */
  const restore = (epochMs: number, streamMs: number) => {
    for (const one of pending) {
      const age = Math.max(0, epochMs - one.seenAt)
      const origin = { ...one, seenStreamMs: streamMs - age, sinceBeforeMs: 0, trackId: null, doubt: null, cost: 0 }
      visits.add(Object.assign(origin, { doubt: { origin, sinceMs: streamMs } }))
    }
    pending = []
  }

  const forgetOld = (tracks: readonly ObservedTrack[], streamMs: number) => {
    const live = new Set(tracks.map((track) => track.id))
    for (const id of known.keys()) if (!live.has(id)) known.delete(id)
    for (const visit of visits) {
      if (visit.trackId !== null && !live.has(visit.trackId)) visit.trackId = null
      if (visit.doubt) {
        if (streamMs - visit.doubt.sinceMs > NEARBY_MS) decide(visit.doubt, claimants(visit))
      } else if (visit.trackId === null && streamMs - visit.seenStreamMs > sameSpotMs(visit.data)) visits.delete(visit)
    }
    if (visits.size <= MOST) return
    const unseen = [...visits].filter(({ trackId }) => trackId === null)
    unseen.sort((a, b) => a.seenStreamMs - b.seenStreamMs)
    for (const visit of unseen.slice(0, visits.size - MOST)) visits.delete(visit)
  }

  const claimants = ({ doubt }: { readonly doubt: Doubt<Data> | null }) =>
    [...visits].filter((visit) => visit.doubt === doubt && !isOrigin(visit) && visit.trackId !== null)

  /** A thing that lies, a car that is parked: it stays where it is. */
  const hasSettled = ({ data }: Visit<Data>) => sameSpotMs(data) > SAME_SPOT_MS

  /** The nearest of `candidates` is the one that was remembered; the others of its doubt are somebody else. */
  const decide = (doubt: Doubt<Data>, candidates: readonly Remembered<Data>[]) => {
    const found = candidates.reduce<Remembered<Data> | null>((a, b) => (a && a.cost <= b.cost ? a : b), null)
    // Who is still there after a restart is seen soon; who is not must not stand for the next one to come by. A thing may lie hidden.
    const kept = found ?? (hasSettled(doubt.origin) ? doubt.origin : null)
    for (const visit of [...visits]) if (visit.doubt === doubt && visit !== kept) forget(visit)
    if (kept) kept.doubt = null
  }

  const forget = (visit: Visit<Data>) => {
    for (const entry of known.values()) if (entry.visit === visit) entry.visit = null
    visits.delete(visit as Remembered<Data>)
  }

  const follow = (track: ObservedTrack, visit: Remembered<Data>, epochMs: number, streamMs: number) => {
    const seconds = (streamMs - visit.seenStreamMs) / 1000
    if (seconds > 0) {
      // Half old, half new: single frames jitter by more than a slow walk moves.
      const { dx, dy } = way(visit.box, track.box)
      visit.vx = (visit.vx + dx / seconds) / 2
      visit.vy = (visit.vy + dy / seconds) / 2
    }
    visit.box = track.box
    visit.sinceBeforeMs = streamMs - visit.seenStreamMs
    visit.seenAt = epochMs
    visit.seenStreamMs = streamMs
  }

  /** How far `box` is from where `visit` may be now; null: too far, too late, or of another size. */
  const distance = (visit: Remembered<Data>, box: Box, streamMs: number): number | null => {
    const gapMs = streamMs - visit.seenStreamMs
    const ratio = areaOf(box) / Math.max(areaOf(visit.box), 1e-9)
    if (ratio > SIZE_RATIO || ratio < 1 / SIZE_RATIO) return null
    if (isLeaving(visit) && gapMs > LEFT_MS) return null
    const overlap = gapMs <= SAME_SPOT_MS ? SAME_SPOT_OVERLAP : LONG_AFTER_OVERLAP
    if (gapMs <= sameSpotMs(visit.data) && overlapOf(visit.box, box) >= overlap) return 0
    if (gapMs > NEARBY_MS) return null
    const ahead = Math.min(gapMs / 1000, EXTRAPOLATE_S)
    const expected = { ...visit.box, x: visit.box.x + visit.vx * ahead, y: visit.box.y + visit.vy * ahead }
    const away = Math.min(boxWidths(visit.box, box, heightInWidths), boxWidths(expected, box, heightInWidths))
    const [perS, most] =
      isOrigin(visit) && !hasSettled(visit) ? [RESTORED_PER_S, RESTORED_MAX] : [REACH_PER_S, REACH_MAX]
    return away <= Math.min(most, REACH + (perS * gapMs) / 1000) ? away : null
  }

  const recognise = (
    tracks: readonly ObservedTrack[],
    seen: ReadonlySet<Remembered<Data>>,
    streamMs: number,
  ): ObservedTrack[] => {
    const pairs = tracks.flatMap((track) => {
      const entry = known.get(track.id)
      if (!entry || entry.visit || entry.distinct || streamMs - entry.sinceMs > RECOGNISE_MS) return []
      return [...visits].flatMap((visit) => {
        const cost = seen.has(visit) ? null : distance(visit, track.box, streamMs)
        return cost === null ? [] : [{ entry, track, visit, cost }]
      })
    })
    pairs.sort((a, b) => a.cost - b.cost)
    const taken = new Set([...visits].filter((visit) => isOrigin(visit) && claimants(visit).length > 0))
    const recognised: ObservedTrack[] = []
    const take = ({ entry, track, visit, cost }: (typeof pairs)[number]) => {
      const own = isOrigin(visit) ? { ...visit, data: { ...visit.data }, cost } : visit
      visits.add(own)
      entry.visit = own
      own.trackId = track.id
      taken.add(visit)
      recognised.push(track)
    }
    for (const pair of pairs) if (!pair.entry.visit && !taken.has(pair.visit)) take(pair)
    // Whoever is left over may yet be one of those that others were taken for.
    for (const pair of pairs) if (!pair.entry.visit && isOrigin(pair.visit)) take(pair)
    return recognised
  }

  /** Whoever `counts` in this frame was the one who did before the restart. */
  const decideDoubts = (tracks: readonly ObservedTrack[]) => {
    const origins = [...visits].filter(isOrigin)
    if (origins.length === 0) return
    const counting = new Set<number | null>(tracks.filter(counts).map(({ id }) => id))
    for (const { doubt } of origins) {
      const found = claimants({ doubt }).filter(({ trackId }) => counting.has(trackId))
      if (doubt && found.length > 0) decide(doubt, found)
    }
  }

  return {
    observe(tracks, epochMs, streamMs) {
      restore(epochMs, streamMs)
      forgetOld(tracks, streamMs)
      const seen = new Set<Remembered<Data>>()
      // Oldest first: when two tracks claim one visit, the one that was there before keeps it.
      const matched = tracks.filter((track) => !track.predicted).sort((a, b) => a.id - b.id)
      for (const track of matched) {
        const entry = known.get(track.id) ?? newEntry<Data>(track, streamMs)
        known.set(track.id, entry)
        if (track.motion >= MOTION_MIN) entry.motionFrames++
        if (!entry.visit) continue
        if (seen.has(entry.visit)) {
          // Two tracks in one frame are two objects: the younger track was taken for the wrong one.
          entry.visit = null
          entry.distinct = true
          continue
        }
        seen.add(entry.visit)
        entry.visit.trackId = track.id
        follow(track, entry.visit, epochMs, streamMs)
      }
      for (const track of recognise(matched, seen, streamMs)) {
        const visit = known.get(track.id)?.visit
        if (visit) follow(track, visit, epochMs, streamMs)
      }
      decideDoubts(matched)
    },
    begin(track, data, epochMs, streamMs) {
      const place = { box: track.box, ...speedOf(track, streamMs), seenAt: epochMs, seenStreamMs: streamMs }
      const visit: Remembered<Data> = { data, ...place, sinceBeforeMs: 0, trackId: track.id, doubt: null, cost: 0 }
      visits.add(visit)
      const entry = known.get(track.id)
      if (entry) entry.visit = visit
      return visit
    },
    of: (trackId) => known.get(trackId)?.visit ?? null,
    forget,
    all: () => visits,
    motionFrames: (trackId) => known.get(trackId)?.motionFrames ?? 0,
    beganAt: (trackId) => known.get(trackId)?.beganAt ?? null,
    saved: () => [
      ...pending,
      ...[...visits]
        .filter((visit) => visit.doubt === null || isOrigin(visit))
        .map(({ box, vx, vy, seenAt, data }) => ({
          box: { x: round(box.x), y: round(box.y), w: round(box.w), h: round(box.h) },
          vx: round(vx),
          vy: round(vy),
          seenAt,
          data: { ...data },
        })),
    ],
  }
}

const isOrigin = <Data extends object>(visit: Remembered<Data>) => visit.doubt?.origin === visit

/** Fractions of the frame a second, over the last of its way; nothing is known of a track that has none. */
function speedOf({ box, trail = [] }: ObservedTrack, streamMs: number): { vx: number; vy: number } {
  const from = trail.find(({ atMs }) => streamMs - atMs <= SPEED_OVER_MS && atMs < streamMs)
  if (!from) return { vx: 0, vy: 0 }
  const seconds = (streamMs - from.atMs) / 1000
  const { dx, dy } = way(from.box, box)
  return { vx: dx / seconds, vy: dy / seconds }
}

/** How far something went from one box to the next. Where the border cuts the box off, the edge in sight tells; else the centre. */
const way = (from: Box, to: Box) => ({
  dx: wayOnAxis([from.x, from.x + from.w], [to.x, to.x + to.w]),
  dy: wayOnAxis([from.y, from.y + from.h], [to.y, to.y + to.h]),
})

function wayOnAxis(from: readonly [number, number], to: readonly [number, number]): number {
  if (to[1] >= 1 - BORDER || from[1] >= 1 - BORDER) return to[0] - from[0]
  if (to[0] <= BORDER || from[0] <= BORDER) return to[1] - from[1]
  return (to[0] + to[1] - from[0] - from[1]) / 2
}

const newEntry = <Data extends object>({ box }: ObservedTrack, streamMs: number): Known<Data> => ({
  sinceMs: streamMs,
  beganAt: box,
  motionFrames: 0,
  visit: null,
  distinct: false,
})

export function isBox(raw: unknown): raw is Box {
  const { x, y, w, h } = (raw ?? {}) as Partial<Box>
  return [x, y, w, h].every((value) => Number.isFinite(value))
}

/** Whether `raw`, read from a stored state, is a place that can be followed on. */
export function isSavedPlace(raw: unknown): raw is SavedPlace {
  const { box, vx, vy, seenAt } = (raw ?? {}) as Partial<SavedPlace>
  return isBox(box) && [vx, vy, seenAt].every((value) => Number.isFinite(value))
}

/** The visits in `raw`, read from a stored state, that can be followed on; the others are left out. null: there are none. */
export function readSavedVisits<Data extends object>(
  raw: unknown,
  isData: (data: unknown) => data is Data,
): SavedVisit<Data>[] | null {
  if (!Array.isArray(raw)) return null
  return raw.filter((one): one is SavedVisit<Data> => isSavedPlace(one) && isData((one as { data?: unknown }).data))
}

/** Distance of the centres in box widths. */
function boxWidths(a: Box, b: Box, heightInWidths: number): number {
  const dx = (centre(a).x - centre(b).x) / Math.max(a.w, b.w, 1e-6)
  const dy = (heightInWidths * (centre(a).y - centre(b).y)) / Math.max(a.h, b.h, 1e-6)
  return Math.hypot(dx, dy)
}

function isLeaving({ box, vx, vy }: Remembered<object>): boolean {
  const right = box.x + box.w >= 1 - BORDER && vx > LEAVING_PER_S * box.w
  const left = box.x <= BORDER && vx < -LEAVING_PER_S * box.w
  const down = box.y + box.h >= 1 - BORDER && vy > LEAVING_PER_S * box.h
  const up = box.y <= BORDER && vy < -LEAVING_PER_S * box.h
  return right || left || down || up
}

const centre = (box: Box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 })
const round = (value: number) => Math.round(value * 10_000) / 10_000
