import type { Fault } from './faults.ts'

/** Result of one receiver with one fault. */
export interface Cell {
  readonly receiver: string
  readonly fault: Fault
  /** Attempts that the receiver saw. */
  readonly attempts: number
  /** One sentence per lost, repeated or stray message; empty: all promises hold. */
  readonly problems: readonly string[]
}
