/** Counts, for each camera, the crashes of its process while it was being read. */
export interface CrashRecord {
  /** These cameras were being read when their process died. Returns those that are due to be isolated. */
  crashed(cameraIds: readonly number[], nowMs: number): number[]
  forget(cameraId: number): void
}

/** Crashes longer ago than this say nothing about the stream as it is now. */
const WINDOW_MS = 10 * 60_000

export function createCrashRecord(limit: number): CrashRecord {
  const crashes = new Map<number, number[]>()
  return {
    crashed(cameraIds, nowMs) {
      for (const id of cameraIds) {
        const recent = (crashes.get(id) ?? []).filter((at) => nowMs - at < WINDOW_MS)
        crashes.set(id, [...recent, nowMs].slice(-limit))
      }
      return cameraIds.filter((id) => (crashes.get(id)?.length ?? 0) >= limit)
    },
    forget: (cameraId) => {
      crashes.delete(cameraId)
    },
  }
}
