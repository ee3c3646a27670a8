import type { Direction } from '@vigia/ias/line-crossing'
import { assign } from './assignment.ts'

export interface Crossing {
  readonly line: string
  readonly s: number
  readonly direction: Direction
}

export interface CrossingScore<Labelled extends Crossing = Crossing, Event extends Crossing = Crossing> {
  readonly all: readonly Labelled[]
  readonly found: readonly Labelled[]
  readonly events: number
  readonly missed: readonly Labelled[]
  /** Further events of a crossing that was found. */
  readonly doubles: readonly Event[]
  /** Events without a crossing. */
  readonly wrong: readonly Event[]
}

/** Largest difference in time of an event and its crossing, in seconds. */
const NEAR_S = 1.5
/** Largest difference in time of a double and its crossing, in seconds. */
const DOUBLE_S = 4

const differenceS = (label: Crossing, event: Crossing): number =>
  label.line === event.line && label.direction === event.direction ? Math.abs(label.s - event.s) : Infinity

/** Assigns to each labelled crossing at most one event, as many as possible. */
export function scoreCrossings<Labelled extends Crossing, Event extends Crossing>(
  labels: readonly Labelled[],
  events: readonly Event[],
): CrossingScore<Labelled, Event> {
  const costs = labels.map((label) =>
    events.map((event) => (differenceS(label, event) <= NEAR_S ? differenceS(label, event) : 1e6)),
  )
  const columns = assign(costs).map((column, row) => ((costs[row]?.[column] ?? 1e6) < 1e6 ? column : -1))
  const used = new Set(columns)
  const found = labels.filter((_, row) => (columns[row] ?? -1) >= 0)
  const rest = events.filter((_, column) => !used.has(column))
  const isDouble = (event: Event) => found.some((label) => differenceS(label, event) <= DOUBLE_S)
  return {
    all: labels,
    found,
    events: events.length,
    missed: labels.filter((_, row) => (columns[row] ?? -1) < 0),
    doubles: rest.filter(isDouble),
    wrong: rest.filter((event) => !isDouble(event)),
  }
}
