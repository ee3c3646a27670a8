/** The cameras with a walk test, whose analyses are armed at any hour. A restart ends it. */
export interface TestedCameras {
  has(cameraId: number): boolean
  /** Begins a test that ends by itself after `ms`, in place of the one before it; 0 ends it. */
  set(cameraId: number, ms: number): void
}

/** @param onChange called after each begin and end */
export function createTestedCameras(onChange: () => void): TestedCameras {
  const ends = new Map<number, NodeJS.Timeout>()
  const end = (cameraId: number) => {
    clearTimeout(ends.get(cameraId))
    if (ends.delete(cameraId)) onChange()
  }
  return {
    has: (cameraId) => ends.has(cameraId),
    set(cameraId, ms) {
      if (ms === 0) return end(cameraId)
      const isNew = !ends.has(cameraId)
      clearTimeout(ends.get(cameraId))
      // A timer runs on the monotonic clock, so that a corrected clock changes nothing.
      ends.set(cameraId, setTimeout(end, ms, cameraId).unref())
      if (isNew) onChange()
    },
  }
}
