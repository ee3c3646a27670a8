import { existsSync, rmSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Files of clips in one folder, named by the clip's id. */
export interface ClipFiles {
  pathOf(id: string): string
  /** Resolves when the file is complete and durable. A failure leaves no file behind. */
  write(id: string, data: Uint8Array): Promise<void>
  /** Returns the path where a file can grow before `complete`. A restart removes it. */
  prepare(id: string): Promise<string>
  /** Resolves when the unfinished file, already durable, has become the file of `id`. */
  complete(id: string): Promise<void>
  removeUnfinished(id: string): Promise<void>
  /** A missing file is no error. */
  remove(id: string): Promise<void>
  /** Removes the files before it returns, so that the next check of the free space counts them. */
  removeNow(ids: readonly string[]): void
  /** Removes all files except those of `ids`, also unfinished ones. Returns the ids that have no file. */
  reconcile(ids: readonly string[]): Promise<readonly string[]>
}

const ENDING = '.mp4'
const UNFINISHED = '.novo'

export function createClipFiles(folder: string): ClipFiles {
  const pathOf = (id: string) => join(folder, `${id}${ENDING}`)
  const unfinishedPathOf = (id: string) => join(folder, `${id}${UNFINISHED}`)
  const complete = async (id: string) => {
    await rename(unfinishedPathOf(id), pathOf(id))
    await syncFolder(folder)
  }
  return {
    pathOf,
    async prepare(id) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return unfinishedPathOf(id)
    },
    complete,
    removeUnfinished: (id) => rm(unfinishedPathOf(id), { force: true }),
    async write(id, data) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = unfinishedPathOf(id)
      try {
        await writeDurably(unfinished, data)
        await complete(id)
      } catch (error) {
        await rm(unfinished, { force: true })
        await rm(pathOf(id), { force: true })
        throw error
      }
    },
    remove: (id) => rm(pathOf(id), { force: true }),
    removeNow(ids) {
      for (const id of ids) rmSync(pathOf(id), { force: true })
    },
    async reconcile(ids) {
      if (!existsSync(folder)) return ids
      const wanted = new Set(ids.map((id) => `${id}${ENDING}`))
      const found = new Set(await readdir(folder))
      for (const name of found) if (!wanted.has(name)) await rm(join(folder, name), { recursive: true, force: true })
      return ids.filter((id) => !found.has(`${id}${ENDING}`))
    },
  }
}

async function writeDurably(path: string, data: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
