import { mkdir, open, readFile, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createMinuteIndex, type Entry, minutePaths } from './minute-index.ts'
import { completeFile, restoreMinutes } from './restore-minutes.ts'

/** A recorded part of a stream: an init segment and CMAF parts, beginning with a keyframe. */
export interface MinuteFile {
  readonly cameraId: number
  /** Edge clock at the first picture, in epoch ms. */
  readonly startMs: number
  readonly durationMs: number
  readonly bytes: number
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
 * so that nothing else can be lost or contradict the files.
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
  /** Removes the oldest complete file of a camera; false: it has none. */
  removeOldest(cameraId: number): Promise<boolean>
  /** Removes the complete files of a camera for which `isChosen` is true. */
  removeWhere(cameraId: number, isChosen: (file: MinuteFile) => boolean): Promise<void>
  /** Removes all files of a camera. No file of it may grow. */
  removeCamera(cameraId: number): Promise<void>
}

export function createMinuteFiles(folder: string): MinuteFiles {
  const index = createMinuteIndex()
  const paths = minutePaths(folder)
  const { folderOf, growingPath, completePath, pathOf } = paths

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
        if (entry.durationMs > 0) await completeFile(entry, paths)
        else await discard(entry)
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
      const taken = index.of(cameraId)
      let at = Math.round(startMs)
      while (taken.some((one) => one.startMs === at)) at++
      const entry: Entry = { cameraId, startMs: at, durationMs: 0, bytes: 0, isGrowing: true }
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
    async removeOldest(cameraId) {
      const oldest = index.of(cameraId).find(({ isGrowing }) => !isGrowing)
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
