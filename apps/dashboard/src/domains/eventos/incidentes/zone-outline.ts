import type { Zonas } from '@vigia/contracts/geometria'

/** Points of an SVG polygon for the zone of that number, in fractions of the frame. null: no such zone. */
export function zoneOutline(zonas: Zonas, zona: number | null): string | null {
  if (zona === null) return null
  // The other form of the API: all points are one polygon (contracts/geometria.ts).
  const single = zonas.every((inner) => inner.length === 2)
  const flat = (single ? [zonas.flat()] : zonas)[zona]
  if (!flat || flat.length < 6) return null
  const points: string[] = []
  for (let index = 0; index + 1 < flat.length; index += 2) points.push(`${flat[index]},${flat[index + 1]}`)
  return points.join(' ')
}
