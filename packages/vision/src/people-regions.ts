import { type Box, clip } from '@vigia/ias/geometry'
import { around, contains, narrowest, regionAround } from './region-shape.ts'
import type { PlanAbout } from './regions.ts'
import type { Track } from './track-state.ts'

/** A person and the part of the frame to look at them in; several people near each other share one. */
export interface PersonRegion {
  readonly trackId: number
  readonly region: Box
}

export interface PeopleRegions {
  /**
   * Looks at people, at most `budget` different regions; who was looked at longest ago comes first. `motion` is not looked at.
   * Remembers whom it looked at.
   */
  plan(about: PlanAbout): readonly PersonRegion[]
}

/** Of someone lower than this, px of the frame, a head has 6 pixels: nobody can tell whether there is a helmet on it. */
export const LEAST_PERSON_PX = 40
/** Surroundings on each side, fractions of the person. */
const MARGIN = 0.2
/** A person in a shared look is at least this high in it, fraction of the look. */
const LEAST_SHARE = 0.5
/** Not narrower than this, px of the frame: more than four times enlarged there is only blur. */
const LEAST_WIDTH = 96

export function createPeopleRegions(): PeopleRegions {
  const lookedAtMs = new Map<number, number>()

  return {
    plan(about) {
      const { frame, tracks, atMs, budget } = about
      const people = tracks.filter((track) => isWorthALook(track, frame.height))
      forget(lookedAtMs, new Set(tracks.map(({ id }) => id)))
      const since = ({ id }: Track) => lookedAtMs.get(id) ?? Number.NEGATIVE_INFINITY
      let waiting = people.toSorted((a, b) => compare(since(a), since(b)) || b.box.h - a.box.h)
      const plan: PersonRegion[] = []
      for (let looks = 0; looks < budget && waiting.length > 0; looks++) {
        const { region, inside } = gather(waiting, about)
        for (const { id } of inside) {
          plan.push({ trackId: id, region })
          lookedAtMs.set(id, atMs)
        }
        waiting = waiting.filter((track) => !inside.includes(track))
      }
      return plan
    },
  }
}

/** Subtraction would give NaN for two people who were never looked at. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)

const isWorthALook = ({ rotulo, predicted, box }: Track, frameHeight: number): boolean =>
  rotulo === 'person' && !predicted && box.h * frameHeight >= LEAST_PERSON_PX

function forget(lookedAtMs: Map<number, number>, alive: ReadonlySet<number>): void {
  for (const id of lookedAtMs.keys()) if (!alive.has(id)) lookedAtMs.delete(id)
}

/** The region of the first one, with as many of the others as fit in while everyone stays large enough. */
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
  // Who is larger than any region with the right proportions (a very wide frame) is cut by it; the upper body counts.
  return { region: contains(region, box) ? region : upper(region, box), inside }
}

/** The same region, moved so that the top of the box is in it. */
const upper = (region: Box, box: Box): Box => ({ ...region, y: Math.min(1 - region.h, Math.max(0, box.y)) })

const grown = ({ x, y, w, h }: Box): Box =>
  clip({ x: x - w * MARGIN, y: y - h * MARGIN, w: w * (1 + 2 * MARGIN), h: h * (1 + 2 * MARGIN) })
