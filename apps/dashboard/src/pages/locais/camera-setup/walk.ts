import type { Seen } from './live-hits.ts'

/** A running or finished walk test. Times are epoch ms of this browser; only their differences are used. */
export interface Walk {
  readonly startedAt: number
  /** null: it runs. */
  readonly endedAt: number | null
  /** Largest id of an event before the start. */
  readonly lastEvento: number
  readonly seen: Seen
  /** From the start to the first confirmed alert on this screen; null: none yet. */
  readonly telaMs: number | null
}
