import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readMedia } from '@vigia/video/mp4/read-media'

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

interface Entry {
  readonly cameraId: number
  readonly startMs: number
  durationMs: number
  bytes: number
  isGrowing: boolean
}

const COMPLETE = /^(\d{1,15})-(\d{1,9})\.mp4$/
const GROWING = /^(\d{1,15})\.parte$/
const HOUR_LENGTH = 'yyyy-mm-ddThh'.length

export function createMinuteFiles(folder: string): MinuteFiles {
  const entries = new Map<number, Entry[]>()
  let bytes = 0

  const folderOf = ({ cameraId, startMs }: Pick<Entry, 'cameraId' | 'startMs'>) =>
    join(folder, String(cameraId), new Date(startMs).toISOString().slice(0, HOUR_LENGTH))
  const growingPath = (entry: Entry) => join(folderOf(entry), `${entry.startMs}.parte`)
  const completePath = (entry: Entry) => join(folderOf(entry), `${entry.startMs}-${Math.round(entry.durationMs)}.mp4`)
  const pathOf = (entry: Entry) => (entry.isGrowing ? growingPath(entry) : completePath(entry))

  const add = (entry: Entry) => {
    const known = entries.get(entry.cameraId) ?? []
    const at = known.findLastIndex(({ startMs }) => startMs < entry.startMs)
    known.splice(at + 1, 0, entry)
    entries.set(entry.cameraId, known)
    bytes += entry.bytes
  }
  const drop = (entry: Entry) => {
    const known = (entries.get(entry.cameraId) ?? []).filter((one) => one !== entry)
    if (known.length > 0) entries.set(entry.cameraId, known)
    else entries.delete(entry.cameraId)
    bytes -= entry.bytes
  }

  const bytesOf = (cameraId: number) => (entries.get(cameraId) ?? []).reduce((sum, entry) => sum + entry.bytes, 0)

  const complete = async (entry: Entry) => {
    const from = growingPath(entry)
    entry.isGrowing = false
    await rename(from, completePath(entry))
  }

  const removeEntry = async (entry: Entry) => {
    const path = completePath(entry)
    // A file that the disk keeps must stay in the index.
    await rm(path, { force: true })
    drop(entry)
    // Fails while the hour has other files.
    await rmdir(dirname(path)).catch(() => {})
  }

  const discard = async (entry: Entry) => {
    drop(entry)
    await rm(growingPath(entry), { force: true })
  }

  /** A file that a killed process left. */
  const recover = async (cameraId: number, startMs: number, path: string) => {
    const media = readMedia(await readFile(path))
    const ticks = media?.parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0) ?? 0
    if (!media || ticks === 0) return await rm(path, { force: true })
    await truncate(path, media.completeBytes)
    const entry = { cameraId, startMs, durationMs: ticks / 90, bytes: media.completeBytes, isGrowing: true }
    await complete(entry)
    add(entry)
  }

  const restoreFolder = async (cameraId: number, path: string) => {
    const names = await readdir(path)
    if (names.length === 0) await rmdir(path)
    for (const name of names) {
      const [, start, duration] = COMPLETE.exec(name) ?? []
      const [, left] = GROWING.exec(name) ?? []
      if (start !== undefined) {
        const { size } = await stat(join(path, name))
        const entry = { cameraId, startMs: Number(start), durationMs: Number(duration), bytes: size, isGrowing: false }
        add(entry)
      } else if (left !== undefined) await recover(cameraId, Number(left), join(path, name))
    }
  }

  const grow = (entry: Entry, file: Awaited<ReturnType<typeof open>>): GrowingFile => ({
    ...{ cameraId: entry.cameraId, startMs: entry.startMs },
    get durationMs() {
      return entry.durationMs
    },
    get bytes() {
      return entry.bytes
    },
    async append(data, durationMs) {
      await file.appendFile(data)
      entry.bytes += data.length
      bytes += data.length
      entry.durationMs += durationMs
    },
    sync: () => file.datasync(),
    async finish() {
      try {
        await file.sync()
      } finally {
        await file.close()
        if (entry.durationMs > 0) await complete(entry)
        else await discard(entry)
      }
    },
  })

  return {
    async restore() {
      entries.clear()
      bytes = 0
      for (const camera of await readdir(folder).catch(() => []))
        if (/^\d+$/.test(camera))
          for (const hour of await readdir(join(folder, camera)))
            await restoreFolder(Number(camera), join(folder, camera, hour))
    },
    get bytes() {
      return bytes
    },
    bytesOf,
    cameras: () => [...entries.keys()],
    list: (cameraId) => entries.get(cameraId) ?? [],
    async create(cameraId, startMs, init) {
      const taken = entries.get(cameraId) ?? []
      let at = Math.round(startMs)
      while (taken.some((one) => one.startMs === at)) at++
      const entry: Entry = { cameraId, startMs: at, durationMs: 0, bytes: 0, isGrowing: true }
      await mkdir(folderOf(entry), { recursive: true, mode: 0o700 })
      const file = await open(growingPath(entry), 'w', 0o600)
      add(entry)
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
      const entry = entries.get(wanted.cameraId)?.find(({ startMs }) => startMs === wanted.startMs)
      if (!entry) return null
      // It may be completed, and so renamed, between the two.
      return await readFile(pathOf(entry)).catch(() => readFile(pathOf(entry)).catch(() => null))
    },
    async removeOldest(cameraId) {
      const oldest = entries.get(cameraId)?.find(({ isGrowing }) => !isGrowing)
      if (!oldest) return false
      await removeEntry(oldest)
      return true
    },
    async removeWhere(cameraId, isChosen) {
      const chosen = entries.get(cameraId)?.filter((entry) => !entry.isGrowing && isChosen(entry)) ?? []
      for (const entry of chosen) await removeEntry(entry)
    },
    async removeCamera(cameraId) {
      await rm(join(folder, String(cameraId)), { recursive: true, force: true })
      bytes -= bytesOf(cameraId)
      entries.delete(cameraId)
    },
  }
}
