import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type MediaContent, type MediaFile, MediaLengthError, type MediaStore } from './interface.ts'
import { isMediaPath, requireMediaFolder, requireMediaPath } from './media-path.ts'
import { runWriters } from './run-writers.ts'

interface FileMediaOptions {
  readonly dir: string
  /** Age in ms from which an unfinished file is abandoned. 0: only this process writes into the folder. */
  readonly abandonedMs?: number
}

/** Media files in a folder (mode 0700, files 0600). Throws RangeError on a path that could leave the folder. */
export function createFileMediaStore({ dir: relative, abandonedMs = 0 }: FileMediaOptions): MediaStore {
  const dir = resolve(relative)
  const fileOf = (path: string): string => join(dir, requireMediaPath(path))
  // One folder on the same file system: a rename out of it is atomic, and `recover` finds the leftovers of a killed
  // process.
  const unfinished = join(dir, '.unfinished')

  async function write({ target, content }: Target): Promise<void> {
    const temporary = join(unfinished, randomUUID())
    try {
      const file = await open(temporary, 'wx', 0o600)
      try {
        await writeContent(file, content)
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

  async function putTargets(targets: readonly Target[]): Promise<void> {
    if (targets.length === 0) return
    // Only the last file of a repeated name is written, which avoids a race.
    const left = [...new Map(targets.map((file) => [file.target, file])).values()]
    const folders = new Set(left.map(({ target }) => dirname(target)))
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 })
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    await runWriters(left, write)
    // A file name is durable only after an fsync of its folder and of all parent folders, which may be new.
    const toSync = new Set([...folders].flatMap((folder) => upwards(folder, dirname(dir))))
    for (const folder of toSync) await syncFolder(folder)
  }

  return {
    put: async (path, content) => putTargets([{ target: fileOf(path), content }]),
    putAll: async (files: readonly MediaFile[]) =>
      putTargets(files.map(({ path, bytes }) => ({ target: fileOf(path), content: bytes }))),
    async read(path) {
      try {
        return await readFile(fileOf(path))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async open(path, range) {
      const file = await open(fileOf(path), 'r').catch(nullIfMissing)
      if (file === null) return null
      const part = range === undefined ? {} : { start: range.first, end: range.last }
      const stream = file.createReadStream({ ...part, autoClose: true })
      return Readable.toWeb(stream) as ReadableStream<Uint8Array>
    },
    async size(path) {
      return (await stat(fileOf(path)).catch(nullIfMissing))?.size ?? null
    },
    async writtenAt(path) {
      return (await stat(fileOf(path)).catch(nullIfMissing))?.mtimeMs ?? null
    },
    async *list(folder) {
      yield* filesBelow(dir, requireMediaFolder(folder))
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
    async recover() {
      for (const name of (await readdir(unfinished).catch(nullIfMissing)) ?? []) {
        const written = await stat(join(unfinished, name)).catch(nullIfMissing)
        // The time of a file has fractions of a millisecond, which `Date.now()` cuts off.
        if (written !== null && Date.now() - Math.floor(written.mtimeMs) >= abandonedMs)
          await rm(join(unfinished, name), { force: true })
      }
    },
  }
}

interface Target {
  readonly target: string
  readonly content: MediaContent
}

/** @throws MediaLengthError */
async function writeContent(file: FileHandle, content: MediaContent): Promise<void> {
  if (Buffer.isBuffer(content)) return file.writeFile(content)
  let written = 0
  for await (const chunk of content.chunks) {
    written += chunk.length
    if (written > content.size) break
    await file.writeFile(chunk)
  }
  if (written !== content.size) throw new MediaLengthError(`stream of ${content.size} bytes has another length`)
}

async function* filesBelow(root: string, folder: string): AsyncIterable<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(nullIfMissing)
  for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(root, path)
    else if (isMediaPath(path)) yield path
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

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
