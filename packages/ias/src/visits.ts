import { mayBeOne } from './appearance.ts'
import { TRACK_SURE } from './evidence.ts'
import type { Box } from './geometry.ts'
import type { ObservedTrack } from './observation.ts'
import { createRestoredVisits } from './restored-visits.ts'
import { type SavedVisit, saveVisit } from './saved-visits.ts'
import type { Visit, VisitOptions, VisitRecord } from './visit.ts'
import { isCutOff, isLeaving, matchDistance, SAME_SPOT_MS, smoothedSpeed, speedOf } from './visit-matching.ts'

/** The visits of one IA on one camera, each with data of that IA. */
export interface Visits<Data extends object> {
  /** Follows the tracks of one frame. Called once a frame, before the methods below. */
  observe(tracks: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  /** Begins an Active visit shown by `track`. */
  begin(track: ObservedTrack, data: Data, epochMs: number, streamMs: number): Visit<Data>
  /** The visit that the track shows; null: none. */
  of(trackId: number): Visit<Data> | null
  forget(visit: Visit<Data>): void
  /** Visits of every state. */
  all(): Iterable<Visit<Data>>
  /** Number of frames with motion under the track's box. */
  motionFrames(trackId: number): number
  /** First box of the track; null: unknown track. */
  beganAt(trackId: number): Box | null
  /** Visits to store for a restart. Provisional copies are left out: their Restored visit stands for them. */
  saved(): SavedVisit<Data>[]
}

/** Age of a track up to which it may continue a visit. */
const RECOGNISE_MS = 1_000
/** Lowest moving fraction of a box that counts as motion: above sensor noise and compression artefacts. */
const MOTION_MIN = 0.05
/** Bound on visits; those without a track and with the oldest detection are deleted first. */
const VISITS_MAX = 300

interface TrackRecord<Data extends object> {
  readonly sinceMs: number
  readonly beganAt: Box
  motionFrames: number
  visit: VisitRecord<Data> | null
  /** Proved to be another object than the visit that it continued: never matched again. */
  distinct: boolean
}

interface Match<Data extends object> {
  readonly track: ObservedTrack
  readonly record: TrackRecord<Data>
  readonly visit: VisitRecord<Data>
  readonly distance: number
}

export function createVisits<Data extends object>(options: VisitOptions<Data> = {}): Visits<Data> {
  const { sameSpotMs = () => SAME_SPOT_MS } = options
  const trackRecords = new Map<number, TrackRecord<Data>>()
  const visits = new Set<VisitRecord<Data>>()

  const forget = (visit: Visit<Data>) => {
    for (const record of trackRecords.values()) if (record.visit === visit) record.visit = null
    visits.delete(visit as VisitRecord<Data>)
  }
  const restored = createRestoredVisits(visits, forget, options)

  const loseEndedTracks = (liveIds: ReadonlySet<number>) => {
    for (const id of trackRecords.keys()) if (!liveIds.has(id)) trackRecords.delete(id)
    for (const visit of visits) {
      const { state } = visit
      if (!('trackId' in state) || state.trackId === null || liveIds.has(state.trackId)) continue
      // An older track that is only predicted may hold the visit that a younger track continued.
      const holder = [...trackRecords].find(([, record]) => record.visit === visit)?.[0] ?? null
      if (state.name === 'provisional') visit.state = { ...state, trackId: holder }
      else visit.state = holder === null ? { name: 'lost' } : { name: 'active', trackId: holder }
    }
  }

  const forgetOld = (streamMs: number) => {
    for (const visit of visits)
      if (visit.state.name === 'lost' && streamMs - visit.seenStreamMs > sameSpotMs(visit.data)) forget(visit)
    if (visits.size <= VISITS_MAX) return
    const unseen = [...visits].filter(({ state }) => !('trackId' in state) || state.trackId === null)
    unseen.sort((a, b) => a.seenStreamMs - b.seenStreamMs)
    for (const visit of unseen.slice(0, visits.size - VISITS_MAX)) forget(visit)
  }

  /** Follows the visits of tracks that already have one. Returns these visits. */
  const followKnown = (tracks: readonly ObservedTrack[], epochMs: number, streamMs: number) => {
    const followed = new Set<VisitRecord<Data>>()
    // Tracks come oldest first: of two tracks in one frame with one visit, the younger was matched wrongly.
    for (const track of tracks) {
      const record = trackRecords.get(track.id) ?? newTrackRecord<Data>(track, streamMs)
      trackRecords.set(track.id, record)
      if (track.motion >= MOTION_MIN) record.motionFrames++
      if (!record.visit) continue
      if (followed.has(record.visit)) {
        record.visit = null
        record.distinct = true
        continue
      }
      followed.add(record.visit)
      follow(track, record.visit, epochMs, streamMs)
    }
    return followed
  }

  /** Gives each new track at most one visit: first one that no other track claims, else a copy of a Restored one. */
  const matchNew = (matches: readonly Match<Data>[], epochMs: number, streamMs: number) => {
    if (matches.length === 0) return
    const taken = restored.claimed()
    const assign = ({ track, record, visit, distance }: Match<Data>) => {
      const own = visit.state.name === 'restored' ? copyOf(visit, track.id, distance) : visit
      visits.add(own)
      record.visit = own
      taken.add(visit)
      follow(track, own, epochMs, streamMs)
    }
    for (const match of matches) if (!match.record.visit && !taken.has(match.visit)) assign(match)
    for (const match of matches) if (!match.record.visit && match.visit.state.name === 'restored') assign(match)
  }

  return {
    observe(tracks, epochMs, streamMs) {
      restored.begin(epochMs, streamMs)
      restored.decideOverdue(streamMs)
      loseEndedTracks(new Set(tracks.map(({ id }) => id)))
      forgetOld(streamMs)
      const matched = tracks.filter((track) => !track.predicted).sort((a, b) => a.id - b.id)
      const followed = followKnown(matched, epochMs, streamMs)
      const candidates = [...visits].filter((visit) => !followed.has(visit))
      matchNew(findMatches(matched, { trackRecords, candidates }, options, streamMs), epochMs, streamMs)
      restored.decideConfirmed(matched)
    },
    begin(track, data, epochMs, streamMs) {
      const state = { name: 'active', trackId: track.id } as const
      const position = { box: track.box, ...speedOf(track, streamMs), seenAt: epochMs, seenStreamMs: streamMs }
      const { appearance } = track
      const visit: VisitRecord<Data> = { data, ...position, sinceBeforeMs: 0, state, ...(appearance && { appearance }) }
      visits.add(visit)
      const record = trackRecords.get(track.id)
      if (record) record.visit = visit
      return visit
    },
    of: (trackId) => trackRecords.get(trackId)?.visit ?? null,
    forget,
    all: () => visits,
    motionFrames: (trackId) => trackRecords.get(trackId)?.motionFrames ?? 0,
    beganAt: (trackId) => trackRecords.get(trackId)?.beganAt ?? null,
    saved: () => [
      ...restored.saved(),
      ...[...visits].filter(({ state }) => state.name !== 'provisional').map(saveVisit),
    ],
  }
}

/** Moves a visit to the position of a track. */
function follow<Data extends object>(
  track: ObservedTrack,
  visit: VisitRecord<Data>,
  epochMs: number,
  streamMs: number,
): void {
  const { state } = visit
  visit.state = state.name === 'provisional' ? { ...state, trackId: track.id } : { name: 'active', trackId: track.id }
  // After an object has left, its track may continue for a second on weak detections of what stands behind it.
  if (track.confianca < TRACK_SURE && isLeaving(visit) && isCutOff(track.box)) return
  Object.assign(visit, smoothedSpeed(visit, track.box, streamMs))
  visit.box = track.box
  visit.sinceBeforeMs = streamMs - visit.seenStreamMs
  visit.seenAt = epochMs
  visit.seenStreamMs = streamMs
  if (track.appearance) visit.appearance = track.appearance
}

interface MatchCandidates<Data extends object> {
  readonly trackRecords: ReadonlyMap<number, TrackRecord<Data>>
  readonly candidates: readonly VisitRecord<Data>[]
}

/** Possible pairs of a young track without a visit and one of the candidates, nearest first. */
function findMatches<Data extends object>(
  tracks: readonly ObservedTrack[],
  { trackRecords, candidates }: MatchCandidates<Data>,
  { sameSpotMs = () => SAME_SPOT_MS, fits = () => true, heightInWidths = 2 }: VisitOptions<Data>,
  streamMs: number,
): Match<Data>[] {
  const matches = tracks.flatMap((track) => {
    const record = trackRecords.get(track.id)
    if (!record || record.visit || record.distinct || streamMs - record.sinceMs > RECOGNISE_MS) return []
    return candidates.flatMap((visit) => {
      if (!fits(visit.data, track) || !mayBeOne(visit.appearance, track.appearance)) return []
      const restored = visit.state.name === 'restored'
      const rules = { sameSpotMs: sameSpotMs(visit.data), heightInWidths, restored }
      const distance = matchDistance(visit, track.box, streamMs, rules)
      return distance === null ? [] : [{ track, record, visit, distance }]
    })
  })
  return matches.sort((a, b) => a.distance - b.distance)
}

/** A Provisional copy with data of its own. */
const copyOf = <Data extends object>(
  restored: VisitRecord<Data>,
  trackId: number,
  distance: number,
): VisitRecord<Data> => ({
  ...restored,
  data: { ...restored.data },
  state: { name: 'provisional', trackId, claim: { restored, distance } },
})

const newTrackRecord = <Data extends object>({ box }: ObservedTrack, streamMs: number): TrackRecord<Data> => ({
  sinceMs: streamMs,
  beganAt: box,
  motionFrames: 0,
  visit: null,
  distinct: false,
})
