/** Lengths in days of the counted periods, longest first; 0: all time. */
export const lengths = [32, 1, 0] as const
type Dias = (typeof lengths)[number]

const DAY_MS = 86_400_000
const BLOCK = 32

/** Number of the period that contains `epochMs`, counted from 1970-01-01 UTC. */
export const periodOf = (dias: Dias, epochMs: number): number =>
  dias === 0 ? 0 : Math.floor(epochMs / (DAY_MS * dias))

/** First instant of a period in epoch ms. */
export const startOf = (dias: Exclude<Dias, 0>, periodo: number): number => periodo * dias * DAY_MS

/** Periods from `de` to `ate` (exclusive); null: open at that end. */
export interface Periods {
  readonly dias: Dias
  readonly de: number | null
  readonly ate: number | null
}
/** Instants from `desde` to `ate` (exclusive) in epoch ms; undefined: open at that end. */
export interface Span {
  readonly desde?: number | undefined
  readonly ate?: number | undefined
}

/**
 * Covers the span with few counted periods. The periods may exceed the span at both ends. Also returns this excess: at
 * most two spans, each shorter than a day. Any span needs about 60 days and the blocks between them.
 */
export function cover({ desde, ate }: Span): {
  readonly periodos: readonly Periods[]
  readonly sobras: readonly Span[]
} {
  if (desde === undefined && ate === undefined) return { periodos: [{ dias: 0, de: null, ate: null }], sobras: [] }
  const first = desde === undefined ? null : Math.floor(desde / DAY_MS)
  const end = ate === undefined ? null : Math.ceil(ate / DAY_MS)
  const sobras: Span[] = []
  if (desde !== undefined && first !== null && first * DAY_MS < desde)
    sobras.push({ desde: first * DAY_MS, ate: desde })
  if (ate !== undefined && end !== null && ate < end * DAY_MS) sobras.push({ desde: ate, ate: end * DAY_MS })
  return { periodos: blocksAndDays(first, end), sobras }
}

function blocksAndDays(first: number | null, end: number | null): Periods[] {
  const firstBlock = first === null ? null : Math.ceil(first / BLOCK)
  const endBlock = end === null ? null : Math.floor(end / BLOCK)
  if (firstBlock !== null && endBlock !== null && firstBlock >= endBlock) return [{ dias: 1, de: first, ate: end }]
  const parts: Periods[] = [{ dias: 32, de: firstBlock, ate: endBlock }]
  if (firstBlock !== null) parts.push({ dias: 1, de: first, ate: firstBlock * BLOCK })
  if (endBlock !== null) parts.push({ dias: 1, de: endBlock * BLOCK, ate: end })
  return parts.filter(({ de, ate }) => de === null || ate === null || de < ate)
}
