import { countZonas, type Zonas } from '@vigia/contracts/geometria'
import { polygons } from '@vigia/ias/geometry'
import type { CameraRow } from './rows.ts'

/** Names of the polygons of a camera in their order; null: no name. */
export type ZoneNames = readonly (string | null)[]

/** Returns one entry for each polygon of `zonas`. */
const filled = (names: ZoneNames, zonas: Zonas): (string | null)[] =>
  Array.from({ length: countZonas(zonas) }, (_, index) => names[index] ?? null)

export const zoneNamesOf = (row: Pick<CameraRow, 'zonas_json' | 'nomes_zonas_json'>): (string | null)[] =>
  filled(JSON.parse(row.nomes_zonas_json) as ZoneNames, JSON.parse(row.zonas_json) as Zonas)

/** The column of `names`: without the unnamed zones at the end, so that a camera without names has one form. */
export const zoneNamesColumn = (names: ZoneNames): string =>
  JSON.stringify(names.slice(0, names.findLastIndex((name) => name !== null) + 1))

/**
 * Names after a change of the polygons by a caller that sends no names. A polygon that stays keeps its name at any
 * position. With as many polygons as before, each other one keeps the name of its position: it was moved.
 */
export function namesAfter(names: ZoneNames, before: Zonas, after: Zonas): (string | null)[] {
  const keys = (zonas: Zonas) => polygons(zonas).map((polygon) => JSON.stringify(polygon))
  const [old, next] = [keys(before), keys(after)]
  const moved = old.length === next.length
  return next.map((key, index) => {
    const kept = old.indexOf(key)
    if (kept >= 0) return names[kept] ?? null
    return moved && !next.includes(old[index] ?? '') ? (names[index] ?? null) : null
  })
}
