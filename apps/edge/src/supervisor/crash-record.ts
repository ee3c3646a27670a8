/** Counts, for each camera, the crashes of its process while the camera was being read. */
export interface CrashRecord {
  /** These cameras were being read when their process crashed. Returns the cameras to isolate. */
  crashed(cameraIds: readonly number[], now: number): number[]
  forget(cameraId: number): void
}

/** Older crashes do not describe the stream in its current state. */
const WINDOW_MS = 10 * 60_000

export function createCrashRecord(limit: number): CrashRecord {
  const crashes = new Map<number, number[]>()
  return {
    crashed(cameraIds, now) {
      for (const id of cameraIds) {
        const recent = (crashes.get(id) ?? []).filter((at) => now - at < WINDOW_MS)
        crashes.set(id, [...recent, now].slice(-limit))
      }
      return cameraIds.filter((id) => (crashes.get(id)?.length ?? 0) >= limit)
    },
    forget: (cameraId) => {
      crashes.delete(cameraId)
    },
  }
}
