/** Live events a minute that are verified in their turn; what exceeds it is stored and verified later. */
export interface EventoBudget {
  readonly perCamera: number
  readonly perEdge: number
}

/**
 * With the default cooldowns, all IAs of a camera together give less than 30 events a minute: more is a fault or a flood. 120 a minute is
 * what sixteen busy cameras give.
 */
export const DEFAULT_BUDGET: EventoBudget = { perCamera: 30, perEdge: 120 }
