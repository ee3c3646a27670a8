import type { Detection } from '@vigia/ias/detection'
import { type Box, iou } from '@vigia/ias/geometry'
import type { SceneFrame } from './scenes.ts'

/** A seen track of the measured tracker. */
export interface Followed {
  readonly id: number
  readonly rotulo: string
  readonly box: Box
}

export interface MotScore {
  /** Well visible objects in all frames. */
  objects: number
  /** Well visible objects without a track. */
  misses: number
  /** Changes of an object's track id. */
  switches: number
  /** Tracks of an object that resume after an interruption. */
  fragments: number
  /** Tracks without an object. */
  ghosts: number
}

const VISIBLE = 0.6
const SAME = 0.4

/** CLEAR MOT (doi:10.1155/2008/246309): earlier pairs are matched first, the others by the best overlap. */
export function scoreTracker(
  frames: readonly SceneFrame[],
  update: (detections: readonly Detection[], atMs: number) => readonly Followed[],
): MotScore {
  const score: MotScore = { objects: 0, misses: 0, switches: 0, fragments: 0, ghosts: 0 }
  const numberOf = new Map<number, number>()
  const interrupted = new Set<number>()
  for (const { atMs, truth, detections } of frames) {
    const free = new Map(update(detections, atMs).map((track) => [track.id, track]))
    const overlap = (object: { readonly box: Box; readonly rotulo: string }, track: Followed | undefined) =>
      track && track.rotulo === object.rotulo ? iou(object.box, track.box) : 0
    const given = new Map<number, number>()
    const give = (id: number, track: number) => {
      given.set(id, track)
      free.delete(track)
    }
    for (const object of truth) {
      const before = numberOf.get(object.id)
      if (before !== undefined && overlap(object, free.get(before)) >= SAME) give(object.id, before)
    }
    const rest = truth
      .filter(({ id }) => !given.has(id))
      .flatMap((object) => [...free.values()].map((track) => ({ object, track, value: overlap(object, track) })))
      .filter(({ value }) => value >= SAME)
      .sort((a, b) => b.value - a.value)
    for (const { object, track } of rest) if (!given.has(object.id) && free.has(track.id)) give(object.id, track.id)

    for (const { id, visible } of truth) {
      const track = given.get(id)
      const before = numberOf.get(id)
      if (visible >= VISIBLE) score.objects++
      if (track === undefined) {
        if (visible >= VISIBLE) score.misses++
        if (before !== undefined) interrupted.add(id)
        continue
      }
      if (before !== undefined && before !== track) score.switches++
      if (interrupted.delete(id)) score.fragments++
      numberOf.set(id, track)
    }
    score.ghosts += free.size
  }
  return score
}

export function sum(scores: readonly MotScore[]): MotScore {
  const total: MotScore = { objects: 0, misses: 0, switches: 0, fragments: 0, ghosts: 0 }
  for (const key of Object.keys(total) as (keyof MotScore)[]) for (const one of scores) total[key] += one[key]
  return total
}
