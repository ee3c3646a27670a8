import { type Box, footOf } from '../geometry.ts'
import type { ObservedTrack } from '../observation.ts'
import type { Visit } from '../visit.ts'
import { createVisits } from '../visits.ts'

/** One person, possibly with several tracks in sequence. */
export type Person = Visit<object>

/** The people near objects, now and in the last half minute. */
export interface Bystanders {
  /** Adds the people of one frame. Called once a frame. */
  observe(people: readonly ObservedTrack[], epochMs: number, streamMs: number): void
  /** People within `reach` of the object at `place` now, and their distances, in heights of the person. */
  near(place: Box, reach: number): ReadonlyMap<Person, number>
  /** The nearest person to `place` within `reach` during the last half minute, and their box then; null: none. */
  lately(place: Box, reach: number): { readonly person: Person; readonly box: Box } | null
  /** Last stream time within `reach` of the object at `place` in that time; null: never. */
  lastNear(place: Box, person: Person, reach: number): number | null
}

/** Height of a standing person in widths of the box. */
const HEIGHT_IN_WIDTHS = 2.5
/** Time for a person to put an object down and to stop hiding it. */
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
      const all = [...samples, ...now].map(({ person, box }) => ({ person, box, away: distance(place, box) }))
      const within = all.filter(({ away }) => away <= reach)
      return within.reduce<(typeof all)[number] | null>((a, b) => (a && a.away <= b.away ? a : b), null)
    },
    lastNear(place, person, reach) {
      const times = [...samples, ...now]
        .filter((one) => one.person === person && distance(place, one.box) <= reach)
        .map(({ atMs }) => atMs)
      return times.length > 0 ? Math.max(...times) : null
    },
  }
}

/**
 * Distance from foot to foot, in heights of the person. Perspective shortens depth, so a person behind an object may
 * count as near.
 */
function distance(thing: Box, person: Box): number {
  const [a, b] = [footOf(thing), footOf(person)]
  const dx = (a.x - b.x) / (Math.max(person.w, 1e-6) * HEIGHT_IN_WIDTHS)
  return Math.hypot(dx, (a.y - b.y) / Math.max(person.h, 1e-6))
}
