import { readdir, readFile, rename, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readMedia } from '@vigia/video/mp4/read-media'
import type { Stamp } from '../time/stamp.ts'
import type { Entry, MinutePaths } from './minute-index.ts'

const COMPLETE = /^(\d{1,15})-(\d{1,9})(?:\.([\w-]{1,64})\.(-?\d{1,15})|~(\d{1,15}))?\.mp4$/
const GROWING = /^(\d{1,15})(?:\.([\w-]{1,64})\.(-?\d{1,15}))?\.parte$/

const stampOf = (boot: string | undefined, ahead: string | undefined): Stamp | null =>
  boot === undefined || ahead === undefined ? null : { boot, ahead: Number(ahead) }

/** Calls `add` for each recording below `folder`. Cuts a torn part off the files that a killed process left. */
export async function restoreMinutes(folder: string, paths: MinutePaths, add: (entry: Entry) => void): Promise<void> {
  /** A file that a killed process left. */
  const recover = async (cameraId: number, startMs: number, stamp: Stamp | null, path: string) => {
    const media = readMedia(await readFile(path))
    const ticks = media?.parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0) ?? 0
    if (!media || ticks === 0) return await rm(path, { force: true })
    await truncate(path, media.completeBytes)
    const about = { durationMs: ticks / 90, bytes: media.completeBytes, isGrowing: true, stamp, uncertainMs: null }
    const entry = { cameraId, startMs, ...about }
    await completeFile(entry, paths)
    add(entry)
  }

  const restoreFolder = async (cameraId: number, path: string) => {
    const names = await readdir(path)
    if (names.length === 0) await rmdir(path)
    for (const name of names) {
      const [, start, duration, ...clock] = COMPLETE.exec(name) ?? []
      const [, left, ...leftClock] = GROWING.exec(name) ?? []
      if (start !== undefined) {
        const { size } = await stat(join(path, name))
        const about = {
          durationMs: Number(duration),
          bytes: size,
          isGrowing: false,
          stamp: stampOf(clock[0], clock[1]),
          uncertainMs: clock[2] === undefined ? null : Number(clock[2]),
        }
        add({ cameraId, startMs: Number(start), ...about })
      } else if (left !== undefined)
        await recover(cameraId, Number(left), stampOf(leftClock[0], leftClock[1]), join(path, name))
    }
  }

  for (const camera of await readdir(folder).catch(() => []))
    if (/^\d+$/.test(camera))
      for (const hour of await readdir(join(folder, camera)))
        await restoreFolder(Number(camera), join(folder, camera, hour))
}

/** Gives a growing file the name of a complete one. */
export async function completeFile(entry: Entry, { growingPath, completePath }: MinutePaths): Promise<void> {
  const from = growingPath(entry)
  entry.isGrowing = false
  await rename(from, completePath(entry))
}
