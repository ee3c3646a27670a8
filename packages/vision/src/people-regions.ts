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

/** Least height of a person, in px of the frame: below it a head has 6 pixels, and a helmet is not recognizable. */
export const LEAST_PERSON_PX = 40
/** Margin on each side, as a fraction of the person. */
const MARGIN = 0.2
/** Least height of a person in a shared region, as a fraction of the region. */
const LEAST_SHARE = 0.5
/** Least width of a region, in px of the frame: an enlargement above four times only shows blur. */
const LEAST_WIDTH = 96

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

/** The region of the first person, extended to others as long as each stays large enough. */
function gather(waiting: readonly Track[], shapes: PlanAbout): { region: Box; inside: Track[] } {
  const [first, ...others] = waiting
  const inside = first ? [first] : []
  let box = first ? grown(first.box) : { x: 0, y: 0, w: 1, h: 1 }
  let smallest = first?.box.h ?? 1
  const width = (one: Box) => Math.max(LEAST_WIDTH, narrowest(one, shapes))
  for (const other of others) {
    const both = around(box, grown(other.box))
    const low = Math.min(smallest, other.box.h)
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

/** The region, moved so that it contains the top of the box. */
const upper = (region: Box, box: Box): Box => ({ ...region, y: Math.min(1 - region.h, Math.max(0, box.y)) })

const grown = ({ x, y, w, h }: Box): Box =>
  clip({ x: x - w * MARGIN, y: y - h * MARGIN, w: w * (1 + 2 * MARGIN), h: h * (1 + 2 * MARGIN) })
