import { type Box, clip } from '@vigia/ias/geometry'
import { around, contains, narrowest, regionAround } from './region-shape.ts'
import type { PlanAbout } from './regions.ts'
import type { Track } from './track-state.ts'

/** A person and the region for the inference; people near each other share one region. */
export interface PersonRegion {
  readonly trackId: number
  readonly region: Box
}

export interface PeopleRegions {
  /**
   * Plans at most `budget` different regions for people; the person with the oldest inference comes first. Ignores
   * `motion`. Stores the time of the plan for each person.
   */
  plan(about: PlanAbout): readonly PersonRegion[]
}

/** Minimum height of a person, in px of the frame: below it a head has 6 pixels, and a helmet is not recognizable. */
export const LEAST_PERSON_PX = 40
/**
 * Head and torso are in this upper part of a standing person, as a fraction of the height. A crouching or cut person is
 * wider: the part is at least UPPER_WIDTHS times as high as the person is wide.
 */
const UPPER = 0.62
const UPPER_WIDTHS = 1.5
/** Margin on each side, as a fraction of the upper part. */
const MARGIN = 0.15
/** Minimum height of an upper part in a shared region, as a fraction of the region. */
const LEAST_SHARE = 0.55
/** Minimum width of a region, in px of the frame: an enlargement above three times only shows blur. */
const LEAST_WIDTH = 40

export function createPeopleRegions(): PeopleRegions {
  const inferenceAtMs = new Map<number, number>()

  return {
    plan(about) {
      const { frame, tracks, atMs, budget } = about
      const people = tracks.filter((track) => isInspectable(track, frame.height))
      forget(inferenceAtMs, new Set(tracks.map(({ id }) => id)))
      const since = ({ id }: Track) => inferenceAtMs.get(id) ?? Number.NEGATIVE_INFINITY
      let waiting = people.toSorted((a, b) => compare(since(a), since(b)) || b.box.h - a.box.h)
      const plan: PersonRegion[] = []
      for (let planned = 0; planned < budget && waiting.length > 0; planned++) {
        const { region, inside } = gather(waiting, about)
        for (const { id } of inside) {
          plan.push({ trackId: id, region })
          inferenceAtMs.set(id, atMs)
        }
        waiting = waiting.filter((track) => !inside.includes(track))
      }
      return plan
    },
  }
}

/** Subtraction would yield NaN for two people without any inference. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

const isInspectable = ({ rotulo, predicted, box }: Track, frameHeight: number): boolean =>
  rotulo === 'person' && !predicted && box.h * frameHeight >= LEAST_PERSON_PX

function forget(inferenceAtMs: Map<number, number>, alive: ReadonlySet<number>): void {
  for (const id of inferenceAtMs.keys()) if (!alive.has(id)) inferenceAtMs.delete(id)
}

/** The region of the first person's upper part, extended to others as long as each stays large enough. */
function gather(waiting: readonly Track[], shapes: PlanAbout): { region: Box; inside: Track[] } {
  const [first, ...others] = waiting
  const inside = first ? [first] : []
  const upperOf = (track: Track) => upperPart(track.box, shapes)
  let box = first ? grown(upperOf(first)) : { x: 0, y: 0, w: 1, h: 1 }
  let smallest = first ? upperOf(first).h : 1
  const width = (one: Box) => Math.max(LEAST_WIDTH, narrowest(one, shapes))
  for (const other of others) {
    const both = around(box, grown(upperOf(other)))
    const low = Math.min(smallest, upperOf(other).h)
    const height = (width(both) * shapes.input.height) / shapes.input.width / shapes.frame.height
    if (low < height * LEAST_SHARE) continue
    inside.push(other)
    box = both
    smallest = low
  }
  const region = regionAround(box, width(box), shapes)
  // A person larger than any region of these proportions (in a very wide frame) is cut to the upper body.
  return { region: contains(region, box) ? region : upper(region, box), inside }
}

function upperPart({ x, y, w, h }: Box, { frame }: PlanAbout): Box {
  const widths = (UPPER_WIDTHS * w * frame.width) / frame.height
  return { x, y, w, h: Math.min(h, Math.max(UPPER * h, widths)) }
}

/** The region, moved so that it contains the top of the box. */
const upper = (region: Box, box: Box): Box => ({ ...region, y: Math.min(1 - region.h, Math.max(0, box.y)) })

const grown = ({ x, y, w, h }: Box): Box =>
  clip({ x: x - w * MARGIN, y: y - h * MARGIN, w: w * (1 + 2 * MARGIN), h: h * (1 + 2 * MARGIN) })
