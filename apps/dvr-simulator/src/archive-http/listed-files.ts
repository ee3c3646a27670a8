import type { RecordedSpan } from '../rtp/recorded-units.ts'

const FILE_MS = 3_600_000

/** The files of an archive that overlap a part: recorders begin a new one each hour. */
export function listedFiles(spans: readonly RecordedSpan[], fromMs: number, toMs: number): RecordedSpan[] {
  const found: RecordedSpan[] = []
  for (const span of spans) {
    const end = Math.min(span.fim, toMs)
    let start = Math.max(span.inicio, Math.floor(fromMs / FILE_MS) * FILE_MS)
    while (start < end) {
      const fim = Math.min(span.fim, (Math.floor(start / FILE_MS) + 1) * FILE_MS)
      if (fim > fromMs) found.push({ inicio: start, fim })
      start = fim
    }
  }
  return found
}
