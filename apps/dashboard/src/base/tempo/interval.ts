/** Part of a day, epoch ms; `ate` exclusive. */
interface Interval {
  readonly desde: number
  readonly ate: number
}

/** Shortest part that an address may name. */
const SHORTEST_MS = 1_000

/** Returns a part of a day for an address: an interval of ISO 8601, both instants in UTC. */
export const intervalText = ({ desde, ate }: Interval): string =>
  `${new Date(desde).toISOString()}/${new Date(ate).toISOString()}`

/** Reads the interval of an address; null: none, or it is not a part of `whole`. */
export function intervalWithin(text: string | undefined, whole: Interval): Interval | null {
  const [desde = Number.NaN, ate = Number.NaN] = (text ?? '').split('/').map((iso) => Date.parse(iso))
  // A comparison with NaN is false.
  return desde >= whole.desde && ate <= whole.ate && ate - desde >= SHORTEST_MS ? { desde, ate } : null
}
