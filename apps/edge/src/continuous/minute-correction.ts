import { mkdir, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Correction } from '../time/record-times.ts'
import type { Stamp } from '../time/stamp.ts'
import type { createMinuteIndex, Entry, MinutePaths } from './minute-index.ts'

/** The time of the edge, for recordings. */
export interface MinuteTimes {
  place(wallMs: number): { readonly at: number; readonly stamp: Stamp | null }
  /** Changes a time of this clock into the right one, or into its earliest; null: not known yet. */
  correction(stamp: Stamp): Correction | null
}

export const alwaysKnown: MinuteTimes = {
  place: (at) => ({ at, stamp: null }),
  correction: () => ({ shiftMs: 0, uncertainMs: null }),
}

/** Gives recordings from before the time was known their right names. */
export function createMinuteCorrection(
  index: ReturnType<typeof createMinuteIndex>,
  { folderOf, completePath }: MinutePaths,
  times: MinuteTimes,
) {
  /** A start that no other file of the camera has. */
  function freeStart(cameraId: number, startMs: number): number {
    const taken = index.of(cameraId)
    let at = Math.max(0, Math.round(startMs))
    while (taken.some((one) => one.startMs === at)) at++
    return at
  }

  return {
    freeStart,
    /** Renames a complete file, if its time has become known. */
    async correctEntry(entry: Entry): Promise<void> {
      const correction = entry.stamp === null ? null : times.correction(entry.stamp)
      if (entry.isGrowing || correction === null) return
      const before = completePath(entry)
      const startMs = freeStart(entry.cameraId, entry.startMs + correction.shiftMs)
      const right: Entry = { ...entry, startMs, stamp: null, uncertainMs: correction.uncertainMs }
      await mkdir(folderOf(right), { recursive: true, mode: 0o700 })
      await rename(before, completePath(right))
      index.drop(entry)
      index.add(right)
      // Fails while the hour has other files.
      await rmdir(dirname(before)).catch(() => {})
    },
  }
}
