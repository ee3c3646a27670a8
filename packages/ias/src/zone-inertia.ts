import {
  type Box,
  borderDistance,
  footOf,
  interiorScale,
  type Point,
  pointInPolygon,
  reachPictureBorder,
} from './geometry.ts'
import type { ObservedTrack } from './observation.ts'

/** Index of the zone that an object stands in; null: there are no zones, the whole frame counts; 'fora': in none of them. */
export type Place = number | null | 'fora'

/** In which zone each track stands, without flapping at the edge. */
export interface ZoneInertia {
  /** Follow the tracks of one frame; once a frame. Tracks that are not among them are forgotten. */
  update(tracks: readonly ObservedTrack[], streamMs: number): void
  /** Where the track has settled. A track that was never given is outside. */
  zoneOf(trackId: number): Place
}

/** This far from the edge (fraction of the object's box: width across, height down) is clear: more than a detector's box jitters. */
const CLEAR = 0.1
/** Zones are often not thicker than an object: this share of area by outline is clear too (the middle half of a strip). */
const CLEAR_OF_ZONE = 0.5
/** Near the edge it must be seen on the other side in every sighting, this often and for this long, ms. Alerts come soon, leaving has time. */
const SIGHTINGS = 3
const ENTER_MS = 600
const LEAVE_MS = 3_000

interface Standing {
  settled: number | 'fora'
  /** Where it has been seen since `sinceMs` without a break, while that is not where it is settled. */
  target: number | 'fora'
  sightings: number
  sinceMs: number
}

/**
 * A track enters a zone when its anchor is clearly inside, or inside for a while near the edge; it leaves when it is clearly outside, or
 * outside for a longer while. Between zones that touch it goes straight from one to the other, and in zones that overlap it
 * stays in the one it came into. Frames in which a track is only predicted say nothing.
 */
export function createZoneInertia(
  zones: readonly (readonly Point[])[],
  anchor: (box: Box) => Point = footOf,
): ZoneInertia {
  const outlines = zones.map(reachPictureBorder)
  const standings = new Map<number, Standing>()

  const containing = (point: Point, settled: number | 'fora'): number | 'fora' => {
    const own = settled === 'fora' ? undefined : outlines[settled]
    if (own && pointInPolygon(point, own)) return settled
    const index = outlines.findIndex((outline) => pointInPolygon(point, outline))
    return index < 0 ? 'fora' : index
  }

  const clearlyIn = (point: Point, box: Box, zone: number | 'fora') => {
    const outline = zone === 'fora' ? undefined : outlines[zone]
    if (!outline) return false
    return borderDistance(point, outline, box) >= Math.min(CLEAR, CLEAR_OF_ZONE * interiorScale(outline, box))
  }

  const clearlyOutOf = (point: Point, box: Box, zone: number | 'fora') => {
    const outline = zone === 'fora' ? undefined : outlines[zone]
    return outline !== undefined && !pointInPolygon(point, outline) && borderDistance(point, outline, box) >= CLEAR
  }

  const follow = (standing: Standing, { box }: ObservedTrack, streamMs: number) => {
    const point = anchor(box)
    const target = containing(point, standing.settled)
    if (target !== standing.target) {
      standing.target = target
      standing.sightings = 0
      standing.sinceMs = streamMs
    }
    if (target === standing.settled) return
    standing.sightings++
    const lasted = streamMs - standing.sinceMs
    const repeatedly = standing.sightings >= SIGHTINGS && lasted >= (target === 'fora' ? LEAVE_MS : ENTER_MS)
    if (repeatedly || clearlyIn(point, box, target)) standing.settled = target
    else if (clearlyOutOf(point, box, standing.settled)) standing.settled = 'fora'
  }

  return {
    update(tracks, streamMs) {
      if (outlines.length === 0) return
      const live = new Set(tracks.map((track) => track.id))
      for (const id of standings.keys()) if (!live.has(id)) standings.delete(id)
      for (const track of tracks) {
        if (track.predicted) continue
        const standing = standings.get(track.id) ?? { settled: 'fora', target: 'fora', sightings: 0, sinceMs: streamMs }
        standings.set(track.id, standing)
        follow(standing, track, streamMs)
      }
    },
    zoneOf: (trackId) => (outlines.length === 0 ? null : (standings.get(trackId)?.settled ?? 'fora')),
  }
}
