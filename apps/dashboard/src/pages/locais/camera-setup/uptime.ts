import type { Queda } from '@vigia/contracts/eventos'

/** Period of the summary, ms. */
const PERIOD_MS = 7 * 24 * 3_600_000

export interface Uptime {
  /** Start of the period, epoch ms. */
  readonly since: number
  /** Share of the period without an outage, 0 to 1. */
  readonly share: number
  /** Outages that reach into the period. */
  readonly quedas: number
  readonly longestMs: number
}

/**
 * Summary of the last days of a camera that exists since `createdAt` (epoch ms).
 * @param complete false: the list holds only the latest quedas, and the period begins with the oldest of them
 */
export function uptimeOf(quedas: readonly Queda[], now: number, createdAt: number, complete: boolean): Uptime | null {
  const spans = quedas
    .map(({ inicio, fim }) => ({ from: Date.parse(inicio), to: fim === null ? now : Date.parse(fim) }))
    .sort((a, b) => a.from - b.from)
  const known = complete ? createdAt : Math.max(createdAt, spans[0]?.from ?? createdAt)
  const since = Math.max(now - PERIOD_MS, known)
  if (since >= now) return null
  const within = spans
    .map(({ from, to }) => ({ from: Math.max(from, since), to: Math.min(to, now) }))
    .filter(({ from, to }) => to > from)
  let [downMs, end] = [0, since]
  for (const { from, to } of within) {
    downMs += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return {
    since,
    share: 1 - downMs / (now - since),
    quedas: within.length,
    longestMs: Math.max(0, ...within.map(({ from, to }) => to - from)),
  }
}
