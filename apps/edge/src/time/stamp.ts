/**
 * Clock under which the times of a record were taken: the start of the machine, and wall clock minus monotonic clock in
 * whole ms. A time minus `ahead` is thus the monotonic time of that start. null: the time was known.
 */
export interface Stamp {
  readonly boot: string
  readonly ahead: number
}

/** The columns of a stamp; null: the time was known. */
export interface StampRow {
  readonly boot: string | null
  readonly ahead: number | null
}
export const stampRow = (stamp: Stamp | null | undefined): StampRow => stamp ?? { boot: null, ahead: null }
export const isSameClock = (a: StampRow, b: StampRow): boolean => a.boot === b.boot && a.ahead === b.ahead
