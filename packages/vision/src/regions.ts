import { type Box, clip, intersection } from '@vigia/ias/geometry'
import { around, contains, narrowest, regionAround, type Shapes, widest } from './region-shape.ts'
import type { Track } from './track-state.ts'

/** What a plan is made of. Boxes are fractions of the frame, sizes pixels. */
export interface PlanAbout extends Shapes {
  /** Where something moved. */
  readonly motion: readonly Box[]
  readonly tracks: readonly Track[]
  /** Stream time, ms. */
  readonly atMs: number
  /** As many looks beside the one at the whole frame, at most. */
  readonly budget: number
}

export interface RegionPlanner {
  /** The parts of the frame that are worth a look enlarged, beside the look at the whole frame. Remembers where it looked. */
  plan(about: PlanAbout): readonly Box[]
}

/** A place to look at. */
interface Target {
  /** With the surroundings that a network wants to see. */
  readonly box: Box
  /** Pixels of the frame: how high what is there may be. */
  readonly height: number
  readonly urgency: number
}

/** From this height on in its picture, px, NanoDet found 96 % of the people of the campus footage, below it fewer (README); an enlarged look shows them twice as high where it can. */
const WELL_SEEN_PX = 32
const WANTED_PX = 64
/** Enlarging the frame's own pixels more than this shows nothing new. */
const MOST_MAGNIFIED = 1.5
/** A region that shows everything less than this much larger than the look at the whole frame is not worth a look. */
const LEAST_GAIN = 1.5
/** Surroundings of a track on each side, in its own sizes, and of a movement, which is found with some around it. */
const TRACK_MARGIN = 0.5
const MOTION_MARGIN = 0.15
const CONFIDENT = 0.5
const WEAK_URGENCY = 1.5
/** Longer waits count alike, seconds. */
const LONGEST_WAIT_S = 10
/** A track younger than this, ms, has yet to be confirmed by looks in a row: it goes before others who have waited less than so many seconds longer. */
const YOUNG_MS = 2_000
const YOUNG_BONUS_S = 1.5
/** The place of a track that was lost is worth a look for this long, ms. */
const LOST_MS = 3_000
/**
 * Seconds before the same place is looked at again: who is new is followed, who is known is made sure of (the tracker bears two seconds
 * without a look); what stands stays as it is; where something moved and nothing was found, there was probably nothing. The
 * last one is for a movement that is large: the look at the whole frame shows it.
 */
const AGAIN_S = { young: 0, known: 0.6, lost: 0.5, still: 3, motion: 1, largeMotion: 3 }

/**
 * Plans enlarged looks for what the look at the whole frame shows too small: whatever moved and is not explained by an object that
 * is well seen, and tracks that are small or weak. Who waited longest comes first, what lies near each other shares a look.
 */
export function createRegionPlanner(): RegionPlanner {
  const memory = createLookMemory()
  return {
    plan(about) {
      const { frame, input, atMs, budget } = about
      if (frame.width <= input.width && frame.height <= input.height) return []
      const targets = [...motionTargets(about, memory), ...trackTargets(about, memory)]
      const waiting = targets.sort((a, b) => b.urgency - a.urgency)
      const regions: Box[] = []
      while (regions.length < budget && waiting.length > 0) {
        const region = gather(waiting, about)
        regions.push(region)
        memory.looked(region, atMs)
      }
      return regions
    },
  }
}

/** Takes the first target out of `waiting`, and all others that a look at it shows well too; returns the region of that look. */
function gather(waiting: Target[], { frame, input }: PlanAbout): Box {
  const shapes = { frame, input }
  const most = widest(shapes) / LEAST_GAIN
  /** Width of the region in which the target has the wanted height. */
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

/** What moved where no track is. A movement larger than a look is looked at piece by piece. */
function motionTargets({ motion, tracks, atMs, frame, input }: PlanAbout, memory: LookMemory): Target[] {
  const covers = tracks.filter((track) => isAround(track, atMs)).map(({ box }) => grown(box, TRACK_MARGIN))
  return motion.flatMap((moved) => {
    const explained = covers.reduce((area, cover) => area + intersection(cover, moved), 0)
    if (explained > moved.w * moved.h * 0.5) return []
    const piece = regionAround(moved, input.width / LEAST_GAIN, { frame, input })
    const large = moved.w > piece.w || moved.h * input.height > WELL_SEEN_PX / (1 - MOTION_MARGIN)
    const box = memory.stalest(moved, piece, atMs)
    const waitedS = memory.waitedS(box, atMs)
    if (waitedS < (large ? AGAIN_S.largeMotion : AGAIN_S.motion)) return []
    return [{ box: grown(box, MOTION_MARGIN), height: large ? WELL_SEEN_PX : box.h * frame.height, urgency: waitedS }]
  })
}

/** Tracks that a look at the whole frame shows small; enlarging would not help the others. Weak ones are the more urgent. */
function trackTargets({ tracks, atMs, frame, input }: PlanAbout, memory: LookMemory): Target[] {
  return tracks.flatMap((track) => {
    const { box, predicted } = track
    if (box.h * input.height >= WELL_SEEN_PX || !isAround(track, atMs)) return []
    if (predicted && touchesBorder(box)) return []
    const young = atMs - track.firstSeenMs < YOUNG_MS
    const waitedS = memory.waitedS(box, atMs)
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

/** Who was lost here has left the picture. */
const touchesBorder = ({ x, y, w, h }: Box) => x < 0.005 || y < 0.005 || x + w > 0.995 || y + h > 0.995

interface LookMemory {
  looked(region: Box, atMs: number): void
  /** How long ago the middle of the box was looked at, s. */
  waitedS(box: Box, atMs: number): number
  /** The place of the size of `piece` in `whole` that was looked at longest ago. */
  stalest(whole: Box, piece: Box, atMs: number): Box
}

/** Columns and rows in which it is remembered when a place was looked at. */
const GRID = 24

function createLookMemory(): LookMemory {
  const lookedAtMs = new Float64Array(GRID * GRID).fill(Number.NEGATIVE_INFINITY)
  const cell = (value: number) => Math.min(GRID - 1, Math.max(0, Math.floor(value * GRID)))

  function waitedS(box: Box, atMs: number): number {
    const ms = atMs - (lookedAtMs[cell(box.y + box.h / 2) * GRID + cell(box.x + box.w / 2)] ?? 0)
    // A stream that began again has a clock that went back.
    return ms < 0 ? LONGEST_WAIT_S : Math.min(LONGEST_WAIT_S, ms / 1000)
  }

  return {
    waitedS,
    looked(region, atMs) {
      for (let row = 0; row < GRID; row++) {
        for (let column = 0; column < GRID; column++) {
          const middle = { x: (column + 0.5) / GRID, y: (row + 0.5) / GRID, w: 0, h: 0 }
          if (contains(region, middle)) lookedAtMs[row * GRID + column] = atMs
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
