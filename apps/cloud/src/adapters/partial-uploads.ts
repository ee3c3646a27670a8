import { constants } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files of unfinished uploads. All replicas must share the folder, as they share the media store. */
export interface PartialUploads {
  /** Bytes received so far; 0: none. */
  size(id: string): Promise<number>
  /**
   * Writes chunks at `offset` and syncs them. Stops at `limit` bytes of the whole file. Two writers of one upload write
   * the same bytes at the same positions. The hash at the end finds any difference, so no lock is needed.
   * @returns the size of the file
   * @throws the error of the source, after the chunks before it are on the disk
   */
  append(
    id: string,
    chunks: AsyncIterable<Uint8Array>,
    at: { readonly offset: number; readonly limit: number },
  ): Promise<number>
  read(id: string): AsyncIterable<Uint8Array>
  remove(id: string): Promise<void>
  /** Ids with the time of their last write, in epoch ms. */
  list(): Promise<{ readonly id: string; readonly writtenAt: number }[]>
}

const SAFE_ID = /^[0-9a-f-]{36}$/

export function createPartialUploads({ dir }: { readonly dir: string }): PartialUploads {
  const fileOf = (id: string): string => {
    if (!SAFE_ID.test(id)) throw new RangeError('Upload id refused')
    return join(dir, id)
  }
  return {
    async size(id) {
      return (await stat(fileOf(id)).catch(nullIfMissing))?.size ?? 0
    },
    async append(id, chunks, { offset, limit }) {
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const file = await open(fileOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        let position = offset
        try {
          for await (const chunk of chunks) {
            const fitting = chunk.subarray(0, limit - position)
            await file.write(fitting, 0, fitting.length, position)
            position += fitting.length
            if (fitting.length < chunk.length) break
          }
        } finally {
          await file.datasync()
        }
        return (await file.stat()).size
      } finally {
        await file.close()
      }
    },
    async *read(id) {
      const file = await open(fileOf(id), 'r')
      yield* file.createReadStream()
    },
    remove: (id) => rm(fileOf(id), { force: true }),
    async list() {
      const names = (await readdir(dir).catch(nullIfMissing)) ?? []
      const found = await Promise.all(
        names
          .filter((name) => SAFE_ID.test(name))
          .map(async (id) => ({ id, file: await stat(fileOf(id)).catch(nullIfMissing) })),
      )
      return found.flatMap(({ id, file }) => (file ? [{ id, writtenAt: file.mtimeMs }] : []))
    },
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
