import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { MediaFile, MediaStore } from './interface.ts'

// An allow-list, which also excludes every spelling of `..`, absolute paths and device names.
const SAFE_PATH = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*\/[a-z0-9][a-z0-9-]*\.[a-z0-9]{1,8}$/

/** Concurrent file writes, enough for the disk to combine several of them. */
const WRITERS = 16

/** Media files in a local folder (mode 0700, files 0600). Throws RangeError on a path that could leave the folder. */
export function createFileMediaStore({ dir: relative }: { dir: string }): MediaStore {
  const dir = resolve(relative)
  const fileOf = (path: string): string => {
    if (!SAFE_PATH.test(path)) throw new RangeError('Media path refused')
    return join(dir, path)
  }
  // One folder on the same file system: a rename out of it is atomic, and `recover` finds the leftovers of a killed
  // process.
  const unfinished = join(dir, '.unfinished')

  async function write({ target, bytes }: { readonly target: string; readonly bytes: Buffer }): Promise<void> {
    const temporary = join(unfinished, randomUUID())
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, target)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  async function putAll(files: readonly MediaFile[]): Promise<void> {
    if (files.length === 0) return
    const targets = files.map(({ path, bytes }) => ({ target: fileOf(path), bytes }))
    // Of a repeated name only the last file is written, which avoids a race.
    const left = [...new Map(targets.map((file) => [file.target, file])).values()]
    const folders = new Set(left.map(({ target }) => dirname(target)))
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 })
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    const writer = async () => {
      for (let file = left.pop(); file; file = left.pop()) await write(file)
    }
    await settle(Array.from({ length: Math.min(WRITERS, left.length) }, writer))
    // A file name is durable only after an fsync of its folder and of all parent folders, which may be new.
    const toSync = new Set([...folders].flatMap((folder) => upwards(folder, dirname(dir))))
    for (const folder of toSync) await syncFolder(folder)
  }

  return {
    put: (path, bytes) => putAll([{ path, bytes }]),
    putAll,
    async read(path) {
      try {
        return await readFile(fileOf(path))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async remove(path) {
      const target = fileOf(path)
      try {
        await unlink(target)
      } catch (error) {
        if (isMissing(error)) return
        throw error
      }
      await syncFolder(dirname(target))
    },
    recover: () => rm(unfinished, { recursive: true, force: true }),
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Waits for all promises, then rejects with the first failure, so that no write continues after the return. */
async function settle(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}

/** `folder` and its parents up to `top`. */
const upwards = (folder: string, top: string): string[] =>
  folder === top || !folder.startsWith(top) ? [folder] : [folder, ...upwards(dirname(folder), top)]

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
