import type { Appearance } from './appearance.ts'
import type { Box } from './geometry.ts'
import type { ObservedTrack } from './observation.ts'
import type { SavedVisit } from './saved-visits.ts'

/**
 * One stay of one object in view. Occlusion and restarts end tracks; a visit joins the tracks of one object.
 * A new track continues a visit if it begins near the visit's last position, soon after its last detection, and has
 * similar colours.
 *
 * | state       | meaning                  | event                                   | next state               |
 * |-------------|--------------------------|-----------------------------------------|--------------------------|
 * | Active      | a track shows the visit  | the track ends                          | Lost                     |
 * |             |                          | the track ends, another holds the visit | Active                   |
 * | Lost        | no track shows the visit | a new track matches                     | Active                   |
 * |             |                          | no detection for `sameSpotMs`           | deleted                  |
 * | Restored    | loaded after a restart   | a new track matches and gets a copy     | Restored                 |
 * |             |                          | a copy is confirmed                     | deleted                  |
 * |             |                          | DECIDE_MS pass, no copy has a track     | deleted; Lost if settled |
 * | Provisional | copy of a Restored visit | `confirms` accepts its track            | Active                   |
 * |             |                          | DECIDE_MS pass, its track began nearest | Active                   |
 * |             |                          | another copy is confirmed               | deleted                  |
 */
export interface Visit<Data extends object> {
  readonly data: Data
  /** Position of the last detection. */
  readonly box: Box
  /** Time between the last two detections. */
  readonly sinceBeforeMs: number
}

export interface VisitOptions<Data extends object> {
  readonly saved?: readonly SavedVisit<Data>[]
  /** Longest time without a detection after which a track on the same spot continues the visit; default: 30 s. */
  readonly sameSpotMs?: (data: Data) => number
  /** Whether `track` can be the object of a visit with this data, apart from position and size. Default: always. */
  readonly fits?: (data: Data, track: ObservedTrack) => boolean
  /** Height of such an object in its own widths; default 2: a standing person. */
  readonly heightInWidths?: number
  /**
   * After a restart several tracks may match one saved visit. Each holds a provisional copy. The first track that this
   * function accepts confirms its copy and cancels the others. Default: the nearest track, at once.
   */
  readonly confirms?: (track: ObservedTrack) => boolean
}

/** A visit with its state. */
export interface VisitRecord<Data extends object> extends Visit<Data> {
  box: Box
  vx: number
  vy: number
  seenAt: number
  seenStreamMs: number
  sinceBeforeMs: number
  /** Appearance of the last track for which it was known. */
  appearance?: Appearance
  state: VisitState<Data>
}

type VisitState<Data extends object> =
  | { readonly name: 'active'; readonly trackId: number }
  | { readonly name: 'lost' }
  | { readonly name: 'restored'; readonly sinceMs: number }
  | { readonly name: 'provisional'; readonly trackId: number | null; readonly claim: Claim<Data> }

/** `distance`: between the Restored visit and the first box of the track that got the copy, box widths. */
interface Claim<Data extends object> {
  readonly restored: VisitRecord<Data>
  readonly distance: number
}
