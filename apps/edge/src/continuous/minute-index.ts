import { join } from 'node:path'
import type { Stamp } from '../time/stamp.ts'

/** One file of the index. */
export interface Entry {
  readonly cameraId: number
  readonly startMs: number
  durationMs: number
  bytes: number
  isGrowing: boolean
  /** Clock of `startMs`, as long as the time is not known. */
  readonly stamp: Stamp | null
  /** The right start is at most this much later; null: it is known, or has a stamp. */
  readonly uncertainMs: number | null
}

const HOUR_LENGTH = 'yyyy-mm-ddThh'.length

/** The files of all cameras, oldest first. */
export function createMinuteIndex() {
  const entries = new Map<number, Entry[]>()
  let bytes = 0
  const bytesOf = (cameraId: number) => (entries.get(cameraId) ?? []).reduce((sum, entry) => sum + entry.bytes, 0)

  return {
    get bytes() {
      return bytes
    },
    bytesOf,
    cameras: () => [...entries.keys()],
    of: (cameraId: number): readonly Entry[] => entries.get(cameraId) ?? [],
    add(entry: Entry) {
      const known = entries.get(entry.cameraId) ?? []
      const at = known.findLastIndex(({ startMs }) => startMs < entry.startMs)
      known.splice(at + 1, 0, entry)
      entries.set(entry.cameraId, known)
      bytes += entry.bytes
    },
    drop(entry: Entry) {
      const known = (entries.get(entry.cameraId) ?? []).filter((one) => one !== entry)
      if (known.length > 0) entries.set(entry.cameraId, known)
      else entries.delete(entry.cameraId)
      bytes -= entry.bytes
    },
    grow(entry: Entry, addedBytes: number, addedMs: number) {
      entry.bytes += addedBytes
      bytes += addedBytes
      entry.durationMs += addedMs
    },
    removeCamera(cameraId: number) {
      bytes -= bytesOf(cameraId)
      entries.delete(cameraId)
    },
    clear() {
      entries.clear()
      bytes = 0
    },
  }
}

/** Names of the files below a folder. */
export function minutePaths(folder: string) {
  const folderOf = ({ cameraId, startMs }: Pick<Entry, 'cameraId' | 'startMs'>) =>
    join(folder, String(cameraId), new Date(startMs).toISOString().slice(0, HOUR_LENGTH))
  const clockOf = ({ stamp, uncertainMs }: Entry) =>
    stamp !== null ? `.${stamp.boot}.${stamp.ahead}` : uncertainMs === null ? '' : `~${Math.round(uncertainMs)}`
  const growingPath = (entry: Entry) => join(folderOf(entry), `${entry.startMs}${clockOf(entry)}.parte`)
  const completePath = (entry: Entry) =>
    join(folderOf(entry), `${entry.startMs}-${Math.round(entry.durationMs)}${clockOf(entry)}.mp4`)
  const pathOf = (entry: Entry) => (entry.isGrowing ? growingPath(entry) : completePath(entry))
  return { folderOf, growingPath, completePath, pathOf }
}

export type MinutePaths = ReturnType<typeof minutePaths>
