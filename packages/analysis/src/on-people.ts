import { type Box, intersection } from '@vigia/ias/geometry'

/** How much of `box` lies within the one of `people` that covers most of it, 0–1. */
export const shareOnPeople = (box: Box, people: readonly Box[]): number =>
  Math.max(0, ...people.map((person) => intersection(box, person) / Math.max(box.w * box.h, 1e-9)))
