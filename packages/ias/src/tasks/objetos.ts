import { areaOf, type Box, intersection } from '../geometry.ts'

/** What the objects of a frame say of a box that another task found. */
export interface ObjectsAround {
  /** How much of the box lies within one person, 0–1. */
  readonly onPerson: number
}

export const objectsAround = (box: Box, people: readonly Box[]): ObjectsAround => ({
  onPerson: Math.max(0, ...people.map((person) => intersection(box, person) / Math.max(areaOf(box), 1e-9))),
})
