import type { ObservedTrack } from './observation.ts'
import type { SavedVisit } from './saved-visits.ts'
import type { Visit, VisitOptions, VisitRecord } from './visit.ts'
import { NEARBY_MS, SAME_SPOT_MS } from './visit-matching.ts'

/** Longest time that a Restored visit stays undecided. */
const DECIDE_MS = NEARBY_MS

/**
 * The visits from before a restart. Several tracks may match one of them: each holds a provisional copy, until one of
 * them is the object of the visit.
 */
export function createRestoredVisits<Data extends object>(
  visits: Set<VisitRecord<Data>>,
  forget: (visit: Visit<Data>) => void,
  { saved = [], sameSpotMs = () => SAME_SPOT_MS, confirms = () => true }: VisitOptions<Data>,
) {
  let unrestored = saved

  const hasSettled = ({ data }: Visit<Data>) => sameSpotMs(data) > SAME_SPOT_MS

  /** The copies of `restored`, also those without a track. */
  const copiesOf = (restored: VisitRecord<Data>) =>
    [...visits].flatMap((visit) =>
      visit.state.name === 'provisional' && visit.state.claim.restored === restored
        ? [{ visit, trackId: visit.state.trackId, distance: visit.state.claim.distance }]
        : [],
    )

  /** The copies of `restored` that a track shows. */
  const claimsOf = (restored: VisitRecord<Data>) =>
    copiesOf(restored).flatMap(({ visit, trackId, distance }) =>
      trackId === null ? [] : [{ visit, trackId, distance }],
    )

  /** Confirms the nearest of `claims`; forgets `restored` and its other copies. */
  const decide = (restored: VisitRecord<Data>, claims: ReturnType<typeof claimsOf>) => {
    const [nearest] = claims.toSorted((a, b) => a.distance - b.distance)
    for (const { visit } of copiesOf(restored)) if (visit !== nearest?.visit) forget(visit)
    if (nearest) nearest.visit.state = { name: 'active', trackId: nearest.trackId }
    // A settled object may be occluded for a long time, so its visit stays. The visit of a person ends: it would
    // match the next person.
    if (!nearest && hasSettled(restored)) restored.state = { name: 'lost' }
    else forget(restored)
  }

  const all = () => [...visits].filter(({ state }) => state.name === 'restored')

  return {
    /** Saved visits that no frame followed. */
    saved: (): readonly SavedVisit<Data>[] => unrestored,
    /** The visits that a track claims. */
    claimed: () => new Set(all().filter((visit) => claimsOf(visit).length > 0)),
    /** Turns saved visits into Restored ones at the first frame. Their ages come from the wall clock. */
    begin(epochMs: number, streamMs: number): void {
      for (const saved of unrestored) {
        const ageMs = Math.max(0, epochMs - saved.seenAt)
        const state = { name: 'restored', sinceMs: streamMs } as const
        visits.add({ ...saved, seenStreamMs: streamMs - ageMs, sinceBeforeMs: 0, state })
      }
      unrestored = []
    },
    decideOverdue(streamMs: number): void {
      for (const visit of [...visits])
        if (visit.state.name === 'restored' && streamMs - visit.state.sinceMs > DECIDE_MS)
          decide(visit, claimsOf(visit))
    },
    decideConfirmed(tracks: readonly ObservedTrack[]): void {
      const restored = all()
      if (restored.length === 0) return
      const confirming = new Set(tracks.filter(confirms).map(({ id }) => id))
      for (const visit of restored) {
        const confirmed = claimsOf(visit).filter(({ trackId }) => confirming.has(trackId))
        if (confirmed.length > 0) decide(visit, confirmed)
      }
    },
  }
}
