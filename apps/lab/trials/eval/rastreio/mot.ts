import { type Box, iou } from '@vigia/ias/geometry'
import { assign } from './assignment.ts'

export interface Identified {
  readonly id: number
  readonly box: Box
}

export interface MotFrame {
  readonly truth: readonly Identified[]
  readonly tracks: readonly Identified[]
  /** A track that mostly lies in one of these boxes, and is matched with nobody, does not count. */
  readonly ignored?: readonly Box[]
}

export interface MotResult {
  /** Labelled people and boxes of tracks, summed over the frames. */
  readonly objects: number
  readonly boxes: number
  readonly misses: number
  readonly falseBoxes: number
  readonly switches: number
  /** 1 - (misses + false boxes + switches) / objects; null without objects. */
  readonly mota: number | null
  /** Harmonic mean of the precision and the recall of identities; null without objects and boxes. */
  readonly idf1: number | null
}

/** Minimum overlap of a person and a track of that person (intersection over union). */
const SAME = 0.5
/** Cost of a pair that does not overlap enough: above the sum of all possible pairs of a frame. */
const IMPOSSIBLE = 1e6

/**
 * CLEAR MOT (Bernardin and Stiefelhagen, doi:10.1155/2008/246309) and IDF1 (Ristani et al., arXiv 1609.01775). A pair
 * of the previous frame is kept while it overlaps. The rest is assigned with the most pairs and the largest overlap.
 */
export function scoreMot(frames: readonly MotFrame[]): MotResult {
  const trackOf = new Map<number, number>()
  const counted: MotFrame[] = []
  let [objects, boxes, misses, falseBoxes, switches] = [0, 0, 0, 0, 0]
  for (const { truth, tracks: all, ignored = [] } of frames) {
    const pairs = matchFrame(truth, all, trackOf)
    const matched = new Set(pairs.values())
    const tracks = all.filter(({ id, box }) => matched.has(id) || !ignored.some((one) => share(box, one) >= SAME))
    counted.push({ truth, tracks })
    objects += truth.length
    boxes += tracks.length
    misses += truth.length - pairs.size
    falseBoxes += tracks.length - pairs.size
    for (const [id, track] of pairs) {
      const before = trackOf.get(id)
      if (before !== undefined && before !== track) switches++
      trackOf.set(id, track)
    }
  }
  const both = objects + boxes
  return {
    objects,
    boxes,
    misses,
    falseBoxes,
    switches,
    mota: objects === 0 ? null : 1 - (misses + falseBoxes + switches) / objects,
    idf1: both === 0 ? null : (2 * countIdentified(counted)) / both,
  }
}

/** Share of `box` that lies in `other`. */
function share(box: Box, other: Box): number {
  const w = Math.min(box.x + box.w, other.x + other.w) - Math.max(box.x, other.x)
  const h = Math.min(box.y + box.h, other.y + other.h) - Math.max(box.y, other.y)
  return (Math.max(0, w) * Math.max(0, h)) / (box.w * box.h)
}

/** Person → track of one frame. `before`: the last track of each person. */
function matchFrame(
  truth: readonly Identified[],
  tracks: readonly Identified[],
  before: ReadonlyMap<number, number>,
): Map<number, number> {
  const pairs = new Map<number, number>()
  for (const { id, box } of truth) {
    const track = tracks.find((one) => one.id === before.get(id))
    if (track && iou(box, track.box) >= SAME) pairs.set(id, track.id)
  }
  const taken = new Set(pairs.values())
  const people = truth.filter(({ id }) => !pairs.has(id))
  const free = tracks.filter(({ id }) => !taken.has(id))
  const overlaps = people.map(({ box }) => free.map((track) => iou(box, track.box)))
  const columns = assign(overlaps.map((row) => row.map((overlap) => (overlap >= SAME ? 1 - overlap : IMPOSSIBLE))))
  people.forEach(({ id }, row) => {
    const column = columns[row] ?? -1
    const track = free[column]
    if (track && (overlaps[row]?.[column] ?? 0) >= SAME) pairs.set(id, track.id)
  })
  return pairs
}

/** Boxes with the right identity, when each person has at most one track and each track at most one person. */
function countIdentified(frames: readonly MotFrame[]): number {
  const people = [...new Set(frames.flatMap(({ truth }) => truth.map(({ id }) => id)))]
  const tracks = [...new Set(frames.flatMap((frame) => frame.tracks.map(({ id }) => id)))]
  const shared = people.map(() => tracks.map(() => 0))
  const rowOf = new Map(people.map((id, row) => [id, row]))
  const columnOf = new Map(tracks.map((id, column) => [id, column]))
  for (const frame of frames) {
    for (const person of frame.truth) {
      const row = shared[rowOf.get(person.id) ?? -1]
      for (const track of frame.tracks) {
        const column = columnOf.get(track.id)
        if (row && column !== undefined && iou(person.box, track.box) >= SAME) row[column] = (row[column] ?? 0) + 1
      }
    }
  }
  const columns = assign(shared.map((row) => row.map((count) => -count)))
  return shared.reduce((sum, row, index) => sum + (row[columns[index] ?? -1] ?? 0), 0)
}
