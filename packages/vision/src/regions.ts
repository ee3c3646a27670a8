import { type Box, clip, intersection } from '@vigia/ias/geometry'
import { around, contains, narrowest, regionAround, type Shapes, widest } from './region-shape.ts'
import type { Track } from './track-state.ts'

/** Input of a plan. Boxes are fractions of the frame, sizes pixels. */
export interface PlanAbout extends Shapes {
  /** Where something moved. */
  readonly motion: readonly Box[]
  readonly tracks: readonly Track[]
  /** Stream time. */
  readonly atMs: number
  /** Largest number of inferences in addition to the one on the whole frame. */
  readonly budget: number
}

export interface RegionPlanner {
  /**
   * Returns the regions for enlarged inferences, in addition to the inference on the whole frame. Stores the time of
   * each planned region.
   */
  plan(about: PlanAbout): readonly Box[]
}

/** A candidate for an enlarged inference. */
interface Target {
  /** Includes the surroundings that a network needs. */
  readonly box: Box
  /** Expected height of the object, pixels of the frame. */
  readonly height: number
  readonly urgency: number
}

/**
 * From this height in its picture on, NanoDet finds 96 % of the people of the campus footage, below it fewer (README).
 * Enlarged inferences aim at twice this height.
 */
const WELL_SEEN_PX = 32
const WANTED_PX = 64
/** Largest useful enlargement of the frame's own pixels. */
const MOST_MAGNIFIED = 1.5
/** Minimum enlargement of a region over the inference on the whole frame. */
const LEAST_GAIN = 1.5
/** Margin on each side, as a fraction of the box. Motion regions already contain some surroundings. */
const TRACK_MARGIN = 0.5
const MOTION_MARGIN = 0.15
const CONFIDENT = 0.5
const WEAK_URGENCY = 1.5
/** Longest counted wait. */
const LONGEST_WAIT_S = 10
/**
 * A track younger than YOUNG_MS needs consecutive detections. Its wait counts YOUNG_BONUS_S more, so it comes before
 * most others.
 */
const YOUNG_MS = 2_000
const YOUNG_BONUS_S = 1.5
/** Time for which the region of a lost track is planned. */
const LOST_MS = 3_000
/**
 * Seconds between two inferences on the same region. New tracks are planned in each frame, known ones more rarely: the
 * tracker tolerates two seconds without an inference. Motion without a detection is probably no object. `largeMotion`
 * is long, because the inference on the whole frame shows large objects.
 */
const AGAIN_S = { young: 0, known: 0.6, lost: 0.5, still: 3, motion: 1, largeMotion: 3 }

/**
 * Plans enlarged inferences for objects that are too small in the whole frame: motion that no well visible object
 * explains, and small or weak tracks. The longest wait comes first, and near targets share a region.
 */
export function createRegionPlanner(): RegionPlanner {
  const times = createInferenceTimes()
  return {
    plan(about) {
      const { frame, input, atMs, budget } = about
      if (frame.width <= input.width && frame.height <= input.height) return []
      const targets = [...motionTargets(about, times), ...trackTargets(about, times)]
      const waiting = targets.sort((a, b) => b.urgency - a.urgency)
      const regions: Box[] = []
      while (regions.length < budget && waiting.length > 0) {
        const region = gather(waiting, about)
        regions.push(region)
        times.record(region, atMs)
      }
      return regions
    },
  }
}

/** Removes the first target from `waiting`, and all others that its region shows well; returns that region. */
function gather(waiting: Target[], { frame, input }: PlanAbout): Box {
  const shapes = { frame, input }
  const most = widest(shapes) / LEAST_GAIN
  /** Width of the region in which the target has the height WANTED_PX. */
  const ideal = ({ box }: Target) =>
    Math.max(input.width / MOST_MAGNIFIED, (box.h * frame.height * input.width) / WANTED_PX)
  const [first] = waiting.splice(0, 1)
  if (!first) return { x: 0, y: 0, w: 1, h: 1 }
  let inside = first.box
  const width = Math.min(most, Math.max(narrowest(inside, shapes), ideal(first)))
  for (const target of [...waiting]) {
    const both = around(inside, target.box)
    if (narrowest(both, shapes) > width || ideal(target) * LEAST_GAIN < width) continue
    inside = both
    waiting.splice(waiting.indexOf(target), 1)
  }
  return regionAround(inside, width, shapes)
}

const grown = (box: Box, margin: number): Box =>
  clip({
    x: box.x - box.w * margin,
    y: box.y - box.h * margin,
    w: box.w * (1 + 2 * margin),
    h: box.h * (1 + 2 * margin),
  })

/** Motion without a track. A movement larger than a region is planned piece by piece. */
function motionTargets({ motion, tracks, atMs, frame, input }: PlanAbout, times: InferenceTimes): Target[] {
  const covers = tracks.filter((track) => isAround(track, atMs)).map(({ box }) => grown(box, TRACK_MARGIN))
  return motion.flatMap((moved) => {
    const explained = covers.reduce((area, cover) => area + intersection(cover, moved), 0)
    if (explained > moved.w * moved.h * 0.5) return []
    const piece = regionAround(moved, input.width / LEAST_GAIN, { frame, input })
    const large = moved.w > piece.w || moved.h * input.height > WELL_SEEN_PX / (1 - MOTION_MARGIN)
    const box = times.stalest(moved, piece, atMs)
    const waitedS = times.waitedS(box, atMs)
    if (waitedS < (large ? AGAIN_S.largeMotion : AGAIN_S.motion)) return []
    return [{ box: grown(box, MOTION_MARGIN), height: large ? WELL_SEEN_PX : box.h * frame.height, urgency: waitedS }]
  })
}

/**
 * Tracks that are small in the inference on the whole frame; enlargement does not help others. Weak ones are more
 * urgent.
 */
function trackTargets({ tracks, atMs, frame, input }: PlanAbout, times: InferenceTimes): Target[] {
  return tracks.flatMap((track) => {
    const { box, predicted } = track
    if (box.h * input.height >= WELL_SEEN_PX || !isAround(track, atMs)) return []
    if (predicted && touchesBorder(box)) return []
    const young = atMs - track.firstSeenMs < YOUNG_MS
    const waitedS = times.waitedS(box, atMs)
    if (waitedS < againS(track, young)) return []
    const urgency = (waitedS + (young ? YOUNG_BONUS_S : 0)) * (track.confianca < CONFIDENT ? WEAK_URGENCY : 1)
    return [{ box: grown(box, TRACK_MARGIN), height: box.h * frame.height, urgency }]
  })
}

function againS({ stillMs, predicted }: Track, young: boolean): number {
  if (stillMs > 0) return AGAIN_S.still
  if (predicted) return AGAIN_S.lost
  return young ? AGAIN_S.young : AGAIN_S.known
}

const isAround = (track: Track, atMs: number) => track.stillMs > 0 || atMs - track.lastSeenMs <= LOST_MS

/** An object lost at the border has left the picture. */
const touchesBorder = ({ x, y, w, h }: Box) => x < 0.005 || y < 0.005 || x + w > 0.995 || y + h > 0.995

interface InferenceTimes {
  record(region: Box, atMs: number): void
  /** Time since the last inference at the middle of the box. */
  waitedS(box: Box, atMs: number): number
  /** The part of `whole` with the size of `piece` and the oldest inference. */
  stalest(whole: Box, piece: Box, atMs: number): Box
}

/** Columns and rows of the grid of inference times. */
const GRID = 24

function createInferenceTimes(): InferenceTimes {
  const inferenceAtMs = new Float64Array(GRID * GRID).fill(Number.NEGATIVE_INFINITY)
  const cell = (value: number) => Math.min(GRID - 1, Math.max(0, Math.floor(value * GRID)))

  function waitedS(box: Box, atMs: number): number {
    const ms = atMs - (inferenceAtMs[cell(box.y + box.h / 2) * GRID + cell(box.x + box.w / 2)] ?? 0)
    // The time goes back when a stream restarts.
    return ms < 0 ? LONGEST_WAIT_S : Math.min(LONGEST_WAIT_S, ms / 1000)
  }

  return {
    waitedS,
    record(region, atMs) {
      for (let row = 0; row < GRID; row++) {
        for (let column = 0; column < GRID; column++) {
          const middle = { x: (column + 0.5) / GRID, y: (row + 0.5) / GRID, w: 0, h: 0 }
          if (contains(region, middle)) inferenceAtMs[row * GRID + column] = atMs
        }
      }
    },
    stalest(whole, piece, atMs) {
      const steps = (length: number, part: number) => Math.max(1, Math.ceil(length / part))
      const [columns, rows] = [steps(whole.w, piece.w), steps(whole.h, piece.h)]
      const w = whole.w / columns
      const h = whole.h / rows
      const pieces = Array.from({ length: columns * rows }, (_, index) => ({
        x: whole.x + (index % columns) * w,
        y: whole.y + Math.floor(index / columns) * h,
        w,
        h,
      }))
      return pieces.reduce((best, one) => (waitedS(one, atMs) > waitedS(best, atMs) ? one : best), pieces[0] ?? whole)
    },
  }
}
