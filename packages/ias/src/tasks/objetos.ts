import { areaOf, type Box, intersection } from '../geometry.ts'

/** Objects of a frame around a box of another task. */
export interface ObjectsAround {
  /** Share of the box inside one person's box, 0–1. */
  readonly onPerson: number
}

export const objectsAround = (box: Box, people: readonly Box[]): ObjectsAround => ({
  onPerson: Math.max(0, ...people.map((person) => intersection(box, person) / Math.max(areaOf(box), 1e-9))),
})
