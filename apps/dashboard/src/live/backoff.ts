/** Longest wait between two attempts to reach the central, ms: a guard must not wait longer once the network is back. */
export const MAX_WAIT_MS = 15_000

/**
 * Wait before attempt number `attempt` (0 = the first one after a loss), in ms: doubles from 1 s, and is spread by `random`
 * (0–1) over its upper half so that all the pages of an installation do not return at the same instant.
 */
export function reconnectWaitMs(attempt: number, random: number): number {
  const ceiling = Math.min(MAX_WAIT_MS, 1000 * 2 ** Math.min(attempt, 10))
  return Math.round(ceiling * (0.5 + random / 2))
}
