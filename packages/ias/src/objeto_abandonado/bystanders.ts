import { type Box, footOf } from '../geometry.ts'
import type { ObservedTrack } from '../observation.ts'
import { createVisits, type Visit } from '../visits.ts'

/** Somebody, whatever number his track has. */
export type Person = Visit<object>

/** The people near things, now and a moment ago. */
export interface Bystanders {
  /** The people of one frame, once a frame. */
  observe(people: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  /** Who stands within `reach` (in his own heights) of the thing at `place` now, and how far away. */
  near(place: Box, reach: number): ReadonlyMap<Person, number>
  /** Who was nearest to `place` within `reach` during the last half minute; null: nobody was. */
  lately(place: Box, reach: number): Person | null
}

/** A standing person's height in widths of his box. */
const HEIGHT_IN_WIDTHS = 2.5
/** Long enough for somebody to put a thing down, and to step out of the way so that it can be seen. */
const LATELY_MS = 30_000
const SAMPLE_MS = 1_000

interface Sample {
  readonly person: Person
  readonly box: Box
  readonly atMs: number
}

export function createBystanders(): Bystanders {
  const visits = createVisits<object>()
  let now: Sample[] = []
  let samples: Sample[] = []
  let sampledMs = Number.NEGATIVE_INFINITY

  return {
    observe(people, epochMs, streamMs) {
      visits.observe(people, epochMs, streamMs)
      now = people.flatMap((track) => {
        const person = visits.of(track.id) ?? (track.predicted ? null : visits.begin(track, {}, epochMs, streamMs))
        return person ? [{ person, box: track.box, atMs: streamMs }] : []
      })
      if (streamMs - sampledMs < SAMPLE_MS) return
      sampledMs = streamMs
      samples = [...samples.filter(({ atMs }) => streamMs - atMs <= LATELY_MS), ...now]
    },
    near: (place, reach) =>
      new Map(
        now
          .map(({ person, box }): [Person, number] => [person, distance(place, box)])
          .filter(([, away]) => away <= reach),
      ),
    lately(place, reach) {
      const all = [...samples, ...now].map(({ person, box }) => ({ person, away: distance(place, box) }))
      const within = all.filter(({ away }) => away <= reach)
      return within.reduce<(typeof all)[number] | null>((a, b) => (a && a.away <= b.away ? a : b), null)?.person ?? null
    },
  }
}

/** From foot to foot in heights of the person. Depth looks shorter than it is, so that somebody behind a thing may count as near. */
function distance(thing: Box, person: Box): number {
  const [a, b] = [footOf(thing), footOf(person)]
  const dx = (a.x - b.x) / (Math.max(person.w, 1e-6) * HEIGHT_IN_WIDTHS)
  return Math.hypot(dx, (a.y - b.y) / Math.max(person.h, 1e-6))
}
