import { mkdir, rename, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Stamp } from '../time/stamp.ts'
import type { createMinuteIndex, Entry, MinutePaths } from './minute-index.ts'

/** The time of the edge, for recordings. */
export interface MinuteTimes {
  place(wallMs: number): { readonly at: number; readonly stamp: Stamp | null }
  /** Right time minus a time of this clock; null: not known yet. */
  shiftMs(stamp: Stamp): number | null
}

export const alwaysKnown: MinuteTimes = { place: (at) => ({ at, stamp: null }), shiftMs: () => 0 }

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
      const shiftMs = entry.stamp === null ? null : times.shiftMs(entry.stamp)
      if (entry.isGrowing || shiftMs === null) return
      const before = completePath(entry)
      const right: Entry = { ...entry, startMs: freeStart(entry.cameraId, entry.startMs + shiftMs), stamp: null }
      await mkdir(folderOf(right), { recursive: true, mode: 0o700 })
      await rename(before, completePath(right))
      index.drop(entry)
      index.add(right)
      // Fails while the hour has other files.
      await rmdir(dirname(before)).catch(() => {})
    },
  }
}
