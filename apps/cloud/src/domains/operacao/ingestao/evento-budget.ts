/** Live events a minute that are verified in order; events beyond it are stored and verified later. */
export interface EventoBudget {
  readonly perCamera: number
  readonly perEdge: number
}

/**
 * With default cooldowns all IAs of a camera produce fewer than 30 events a minute, apart from crossings. Each object
 * that crosses a line is an event, so this budget bounds a crowd at a line. Sixteen busy cameras produce 120 a minute.
 */
export const DEFAULT_BUDGET: EventoBudget = { perCamera: 30, perEdge: 120 }
