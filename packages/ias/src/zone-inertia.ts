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

/** Index of the zone of an object; null: no zones, the whole frame counts; 'fora': outside all zones. */
export type Place = number | null | 'fora'

/** The zone of each track, with hysteresis at the edge. */
export interface ZoneInertia {
  /** Follows the tracks of one frame. Called once a frame. Other tracks are forgotten. */
  update(tracks: readonly ObservedTrack[], streamMs: number): void
  /** Zone of the track. An unknown track is outside. */
  zoneOf(trackId: number): Place
}

/**
 * Clear distance from the edge, as a fraction of the box (width across, height down): more than the jitter of a
 * detector.
 */
const CLEAR = 0.1
/** Clear distance in thin zones, as a share of area divided by outline. In a strip it leaves the middle half. */
const CLEAR_OF_ZONE = 0.5
/**
 * Near the edge, number of consecutive detections on the other side and their duration, in ms. Entering is fast,
 * leaving is slow.
 */
const DETECTIONS = 3
const ENTER_MS = 600
const LEAVE_MS = 3_000

interface Standing {
  settled: number | 'fora'
  /** Zone of all detections since `sinceMs`; may differ from `settled`. */
  target: number | 'fora'
  detections: number
  sinceMs: number
}

/**
 * A track enters a zone when its anchor is clearly inside, or inside for a while near the edge. It leaves when it is
 * clearly outside, or outside for a longer while. Between touching zones it changes directly; in overlapping zones it
 * stays in the first one. Predicted boxes are ignored.
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
      standing.detections = 0
      standing.sinceMs = streamMs
    }
    if (target === standing.settled) return
    standing.detections++
    const lasted = streamMs - standing.sinceMs
    const repeatedly = standing.detections >= DETECTIONS && lasted >= (target === 'fora' ? LEAVE_MS : ENTER_MS)
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
        const standing = standings.get(track.id) ?? {
          settled: 'fora',
          target: 'fora',
          detections: 0,
          sinceMs: streamMs,
        }
        standings.set(track.id, standing)
        follow(standing, track, streamMs)
      }
    },
    zoneOf: (trackId) => (outlines.length === 0 ? null : (standings.get(trackId)?.settled ?? 'fora')),
  }
}
