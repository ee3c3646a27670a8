import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { MediaStore } from './interface.ts'

// A list of what is allowed, so that no spelling of `..`, of an absolute path or of a device name has to be known.
const SAFE_PATH = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*\/[a-z0-9][a-z0-9-]*\.[a-z0-9]{1,8}$/

/** Media in a folder of this machine (mode 0700, files 0600). Throws RangeError on a path that could leave the folder. */
export function createFileMediaStore({ dir }: { dir: string }): MediaStore {
  const place = (path: string): string => {
    if (!SAFE_PATH.test(path)) throw new RangeError('Media path refused')
    return join(dir, path)
  }
  // One folder, on the same file system: a rename out of it is atomic, and what a killed process left is found.
  const unfinished = join(dir, '.unfinished')
  return {
    async put(path, bytes) {
      const target = place(path)
      const folder = dirname(target)
      const created = await mkdir(folder, { recursive: true, mode: 0o700 })
      await mkdir(unfinished, { recursive: true, mode: 0o700 })
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
      } finally {
        await rm(temporary, { force: true })
      }
      // The name is durable only when its folder is, and a new folder only when the one above it is.
      await syncFolders(folder, created === undefined ? folder : dirname(created))
    },
    async read(path) {
      try {
        return await readFile(place(path))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async remove(path) {
      const target = place(path)
      try {
        await unlink(target)
      } catch (error) {
        if (isMissing(error)) return
        throw error
      }
      await syncFolders(dirname(target), dirname(target))
    },
    recover: () => rm(unfinished, { recursive: true, force: true }),
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function syncFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; folder === upTo || folder.startsWith(upTo + sep); folder = dirname(folder)) {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}
