import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Creates a directory with mode 0700, or sets that mode. */
export async function ensurePrivateDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}

/** Returns the text of a file; null when it does not exist. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Replaces `path` atomically (mode 0600): after a power cut a reader sees the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await withTemporary(path, text, (temporary) => rename(temporary, path))
}

/** Creates `path` atomically (mode 0600) unless it exists. Returns its text, written here or by another process. */
export async function createFileOnce(path: string, text: string): Promise<string> {
  await withTemporary(path, text, async (temporary) => {
    try {
      await link(temporary, path)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  })
  return readFile(path, 'utf8')
}

async function withTemporary(path: string, text: string, place: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await place(temporary)
  } finally {
    await rm(temporary, { force: true })
  }
  const dir = await open(dirname(path), 'r')
  try {
    await dir.sync()
  } finally {
    await dir.close()
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
