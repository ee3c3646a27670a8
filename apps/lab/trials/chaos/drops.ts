/** Events that the quota of the edge dropped in one transaction; `at`: machine clock, in epoch ms. */
export interface Drop {
  readonly at: number
  readonly records: number
}

/** Drops of a later round belong to that round, those before the first round to none. */
export interface Round {
  readonly startedAt: number
  /** Faults of the round that fill the quota or a disk. */
  readonly fills: readonly string[]
}

export interface DropShares {
  /** Dropped events by cause; those outside the rounds that fill something have the cause `otherwise`. */
  readonly byCause: ReadonlyMap<string, number>
  /** Share of the produced events, 0 to 1, that was dropped otherwise. */
  readonly otherwise: number
  readonly produced: number
}

const OTHERWISE = 'otherwise'
/** Largest share of events that the quota may drop outside the rounds that fill it or a disk. */
const MOST_OTHERWISE = 0.01

/** @param recorded number of events in gap records of the quota; those without a `Drop` count as `otherwise` */
export function shareDrops(
  drops: readonly Drop[],
  rounds: readonly Round[],
  { produced, recorded }: { readonly produced: number; readonly recorded: number },
): DropShares {
  const byCause = new Map<string, number>()
  const add = (cause: string, records: number) => byCause.set(cause, (byCause.get(cause) ?? 0) + records)
  for (const { at, records } of drops) {
    const fills = rounds.findLast(({ startedAt }) => startedAt <= at)?.fills ?? []
    add(fills.length === 0 ? OTHERWISE : fills.join(' and '), records)
  }
  const known = drops.reduce((sum, { records }) => sum + records, 0)
  add(OTHERWISE, Math.max(0, recorded - known))
  return { byCause, produced, otherwise: (byCause.get(OTHERWISE) ?? 0) / Math.max(1, produced) }
}

/** Whether the quota dropped hardly any event outside the rounds that fill it or a disk. */
export const isRightlyDropped = ({ otherwise }: DropShares): boolean => otherwise <= MOST_OTHERWISE

/** Returns the share of dropped events by cause, for the last line of a run. */
export function dropsText({ byCause, produced }: DropShares): string {
  const percent = (records: number) => `${((100 * records) / Math.max(1, produced)).toFixed(1)}%`
  const all = [...byCause.values()].reduce((sum, records) => sum + records, 0)
  const causes = [...byCause].sort(([a], [b]) => a.localeCompare(b)).map(([cause, n]) => `${cause} ${percent(n)}`)
  return `dropped=${percent(all)} (${causes.join(', ')})`
}
