import { mkdir, open, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { alwaysKnown, createMinuteCorrection, type MinuteTimes } from './minute-correction.ts'
import { createMinuteIndex, type Entry, minutePaths } from './minute-index.ts'
import { completeFile, restoreMinutes } from './restore-minutes.ts'

/** A recorded part of a stream: an init segment and CMAF parts, beginning with a keyframe. */
export interface MinuteFile {
  readonly cameraId: number
  /** Edge clock at the first picture, in epoch ms. */
  readonly startMs: number
  readonly durationMs: number
  readonly bytes: number
  /** The first picture is at most this much later, because its start never knew the time; null: it is known. */
  readonly uncertainMs: number | null
}

/** A file that still grows. Each call must follow the end of the previous one. */
export interface GrowingFile extends MinuteFile {
  append(data: Uint8Array, durationMs: number): Promise<void>
  /** Makes everything appended so far survive a power cut. */
  sync(): Promise<void>
  /** The file is complete and durable. */
  finish(): Promise<void>
}

/**
 * Recordings on the disk: `<camera>/<hour>/<start>-<duration>.mp4`, times in ms, hours in UTC. The names are the index,
 * so that nothing else can be lost or contradict the files. While the time is not known, they also name the clock of
 * the start (`.<boot>.<ahead>`). If the start of the machine ended before its time was known, they name the length of
 * the interval (`~<ms>`).
 */
export interface MinuteFiles {
  /** Reads the index. Cuts a torn part off the files that a killed process left. */
  restore(): Promise<void>
  readonly bytes: number
  bytesOf(cameraId: number): number
  cameras(): readonly number[]
  /** Oldest first; the last one may still grow. */
  list(cameraId: number): readonly MinuteFile[]
  create(cameraId: number, startMs: number, init: Uint8Array): Promise<GrowingFile>
  /** null: the file was removed meanwhile. */
  read(file: MinuteFile): Promise<Buffer | null>
  /** Gives the complete files of an unknown time their right names. Does nothing before the time is known. */
  correct(): Promise<void>
  /** Removes the oldest complete file of a camera; false: it has none. Files of an unknown time are the newest. */
  removeOldest(cameraId: number): Promise<boolean>
  /** Removes the complete files of a camera for which `isChosen` is true. */
  removeWhere(cameraId: number, isChosen: (file: MinuteFile) => boolean): Promise<void>
  /** Removes all files of a camera. No file of it may grow. */
  removeCamera(cameraId: number): Promise<void>
}

export function createMinuteFiles(folder: string, times: MinuteTimes = alwaysKnown): MinuteFiles {
  const index = createMinuteIndex()
  const paths = minutePaths(folder)
  const { folderOf, growingPath, completePath, pathOf } = paths
  const { freeStart, correctEntry } = createMinuteCorrection(index, paths, times)

  const removeEntry = async (entry: Entry) => {
    const path = completePath(entry)
    // A file that the disk keeps must stay in the index.
    await rm(path, { force: true })
    index.drop(entry)
    // Fails while the hour has other files.
    await rmdir(dirname(path)).catch(() => {})
  }

  const discard = async (entry: Entry) => {
    index.drop(entry)
    await rm(growingPath(entry), { force: true })
  }

  const grow = (entry: Entry, file: Awaited<ReturnType<typeof open>>): GrowingFile => ({
    cameraId: entry.cameraId,
    startMs: entry.startMs,
    uncertainMs: entry.uncertainMs,
    get durationMs() {
      return entry.durationMs
    },
    get bytes() {
      return entry.bytes
    },
    async append(data, durationMs) {
      await file.appendFile(data)
      index.grow(entry, data.length, durationMs)
    },
    sync: () => file.datasync(),
    async finish() {
      try {
        await file.sync()
      } finally {
        await file.close()
        if (entry.durationMs === 0) await discard(entry)
        else {
          await completeFile(entry, paths)
          await correctEntry(entry)
        }
      }
    },
  })

  return {
    async restore() {
      index.clear()
      await restoreMinutes(folder, paths, index.add)
    },
    get bytes() {
      return index.bytes
    },
    bytesOf: index.bytesOf,
    cameras: index.cameras,
    list: index.of,
    async create(cameraId, startMs, init) {
      const { at, stamp } = times.place(startMs)
      const entry: Entry = {
        cameraId,
        startMs: freeStart(cameraId, at),
        durationMs: 0,
        bytes: 0,
        isGrowing: true,
        stamp,
        uncertainMs: null,
      }
      await mkdir(folderOf(entry), { recursive: true, mode: 0o700 })
      const file = await open(growingPath(entry), 'w', 0o600)
      index.add(entry)
      const growing = grow(entry, file)
      try {
        await growing.append(init, 0)
      } catch (error) {
        await growing.finish().catch(() => {})
        throw error
      }
      return growing
    },
    async read(wanted) {
      const entry = index.of(wanted.cameraId).find(({ startMs }) => startMs === wanted.startMs)
      if (!entry) return null
      // It may be completed, and so renamed, between the two.
      return await readFile(pathOf(entry)).catch(() => readFile(pathOf(entry)).catch(() => null))
    },
    async correct() {
      for (const camera of index.cameras()) for (const entry of [...index.of(camera)]) await correctEntry(entry)
    },
    async removeOldest(cameraId) {
      const complete = index.of(cameraId).filter(({ isGrowing }) => !isGrowing)
      const oldest = complete.find(({ stamp }) => stamp === null) ?? complete[0]
      if (!oldest) return false
      await removeEntry(oldest)
      return true
    },
    async removeWhere(cameraId, isChosen) {
      const chosen = index.of(cameraId).filter((entry) => !entry.isGrowing && isChosen(entry))
      for (const entry of chosen) await removeEntry(entry)
    },
    async removeCamera(cameraId) {
      await rm(join(folder, String(cameraId)), { recursive: true, force: true })
      index.removeCamera(cameraId)
    },
  }
}
