/** A bound with the title of the test that exceeds it, or the reason why none is needed. */
export type LimitCell = { readonly limit: string; readonly test: string } | { readonly none: string }

/** Units that a bound may count for. */
export const limitScopes = ['item', 'connection', 'edge', 'empresa', 'root', 'installation'] as const

/** Unit that a bound counts for. */
export type LimitScope = (typeof limitScopes)[number]

/**
 * One thing that a caller can send or hold (bytes, records, rate, memory, disk, connections, processor time), with a
 * cell for each scope. Limits are texts with units, made from the constants that the code uses.
 */
export interface LimitRow extends Readonly<Record<LimitScope, LimitCell>> {
  /** Name of the thing, for example `Live upload: parts`. */
  readonly what: string
  /** Callers that send or hold it, for example `edge` or `login`. */
  readonly who: string
}

/**
 * Rows of docs/limits.md. Each `limit-rows.ts` below `src` exports its rows as `limitRows`; the document is made of
 * all.
 */
export function defineLimits(rows: readonly LimitRow[]): readonly LimitRow[] {
  return rows
}

/** A cell without a bound. */
export const none = (reason: string): LimitCell => ({ none: reason })

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Bytes for people in the largest unit that they fill, with at most one decimal, rounded down: `128 MiB`. */
export function byteSize(bytes: number): string {
  const power = Math.max(
    0,
    UNITS.findLastIndex((_, at) => bytes >= 1024 ** at),
  )
  const value = Math.floor((10 * bytes) / 1024 ** power) / 10
  return `${value} ${bytes === 1 ? 'byte' : UNITS[power]}`
}
