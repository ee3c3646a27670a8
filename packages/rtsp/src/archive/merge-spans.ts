import type { Span } from '../playback-urls.ts'

/** Recorders begin a new file after seconds without pictures. */
const FIRST_GAP_MS = 5_000

/** The spans inside `within`, in order. Joins neighbours until there are at most `most`. */
export function mergeSpans(spans: readonly Span[], within: Span, most: number): Span[] {
  let merged = spans
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, within.fromMs), toMs: Math.min(toMs, within.toMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs)
  for (let gapMs = FIRST_GAP_MS; ; gapMs *= 2) {
    merged = join(merged, gapMs)
    if (merged.length <= most) return merged
  }
}

function join(spans: readonly Span[], gapMs: number): Span[] {
  const joined: { fromMs: number; toMs: number }[] = []
  for (const { fromMs, toMs } of spans) {
    const last = joined.at(-1)
    if (last && fromMs - last.toMs <= gapMs) last.toMs = Math.max(last.toMs, toMs)
    else joined.push({ fromMs, toMs })
  }
  return joined
}
