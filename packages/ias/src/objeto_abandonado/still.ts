import { areaOf, type Box, intersection } from '../geometry.ts'
import type { ObservedTrack } from '../observation.ts'
import { STILL_LABELS } from '../tasks/parados.ts'

/** Reach of an owner who puts down an object of the background model, in heights of the person. */
export const OWNER_TOUCH = 0.8
/** Largest object, in heights and widths of its owner: gates and vehicles are larger. */
const MOST_HEIGHT = 0.8
const MOST_WIDTH = 2.2
/** Minimum area of an object, in areas of its owner. */
const LEAST_AREA = 0.01
/** Fraction of the smaller box from which two tracks show one object. */
const DOUBLE = 0.5

const labels: readonly string[] = Object.values(STILL_LABELS)

/** Whether the track is an object of the background model. A luggage class may have replaced its label. */
export const isStill = ({ still, rotulo }: ObservedTrack): boolean => still === true || labels.includes(rotulo)

/** Whether a person with this box may have put the object down. The detector's luggage always fits. */
export const belongsTo = (track: ObservedTrack, person: Box): boolean =>
  !isStill(track) ||
  (track.box.h <= MOST_HEIGHT * person.h &&
    track.box.w <= MOST_WIDTH * person.w &&
    areaOf(track.box) >= LEAST_AREA * areaOf(person))

/** Leaves out detected luggage that the background model has found, too. */
export function withoutDoubles(things: readonly ObservedTrack[]): ObservedTrack[] {
  const still = things.filter(isStill)
  const isDouble = ({ box }: ObservedTrack) =>
    still.some((one) => intersection(one.box, box) >= DOUBLE * Math.min(areaOf(one.box), areaOf(box)))
  return things.filter((thing) => isStill(thing) || !isDouble(thing))
}
