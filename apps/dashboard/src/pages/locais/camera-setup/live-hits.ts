import type { Caixa } from '@vigia/contracts/eventos'
import { footOf, pointInPolygon } from '@vigia/ias/geometry'
import type { Drawing } from './drawing.ts'

/** Indices of the zones that contain the foot of at least one detection: the point that the analysis tests. */
export const zonesHit = ({ zonas }: Drawing, detections: readonly Caixa[]): readonly number[] =>
  zonas.flatMap((zona, index) =>
    detections.some((detection) => pointInPolygon(footOf(detection), zona)) ? [index] : [],
  )

/** Labels and zones that a walk test has seen until now. */
export interface Seen {
  readonly rotulos: readonly string[]
  readonly zonas: readonly number[]
}

export const nothingSeen: Seen = { rotulos: [], zonas: [] }

const joined = <T>(known: readonly T[], found: readonly T[]): readonly T[] => {
  const all = [...new Set([...known, ...found])]
  return all.length === known.length ? known : all
}

/** Adds one frame. Returns the same object if the frame adds nothing. */
export function addFrame(seen: Seen, drawing: Drawing, detections: readonly Caixa[]): Seen {
  const rotulos = joined(
    seen.rotulos,
    detections.map(({ rotulo }) => rotulo),
  )
  const zonas = joined(seen.zonas, zonesHit(drawing, detections))
  return rotulos === seen.rotulos && zonas === seen.zonas ? seen : { rotulos, zonas }
}
