import { buffer } from 'node:stream/consumers'
import type { MediaFile, MediaStore } from '../../adapters/media-store/interface.ts'
import { runWriters } from '../../adapters/media-store/run-writers.ts'
import { mediaFolders } from '../../db/named-files.ts'
import { CommandError } from '../command.ts'

const SMALL_BYTES = 1024 * 1024
const BATCH_BYTES = 16 * SMALL_BYTES
const BATCH_FILES = 256

export interface MediaWriter {
  write(path: string, size: number, chunks: AsyncIterable<Buffer>): Promise<void>
  flush(): Promise<void>
  readonly done: { readonly midias: number; readonly bytes: number }
}

/** Writes small files together. @param isResumed leaves complete files of an earlier run as they are */
export function createMediaWriter(media: MediaStore, isResumed: boolean): MediaWriter {
  const done = { midias: 0, bytes: 0 }
  let batch: MediaFile[] = []
  let batchBytes = 0

  async function flush(): Promise<void> {
    const files = batch
    batch = []
    batchBytes = 0
    await media.putAll(isResumed ? await missingOf(media, files) : files)
  }

  return {
    async write(path, size, chunks) {
      done.midias += 1
      done.bytes += size
      if (size > SMALL_BYTES) {
        if (isResumed && (await media.size(path)) === size) for await (const _ of chunks);
        else await media.put(path, { size, chunks })
        return
      }
      batch.push({ path, bytes: await buffer(chunks) })
      batchBytes += size
      if (batch.length >= BATCH_FILES || batchBytes >= BATCH_BYTES) await flush()
    },
    flush,
    done,
  }
}

/** Files are written atomically, so that one of the same size is complete. */
async function missingOf(media: MediaStore, files: readonly MediaFile[]): Promise<MediaFile[]> {
  const missing: MediaFile[] = []
  await runWriters(files, async (file) => {
    if ((await media.size(file.path)) !== file.bytes.length) missing.push(file)
  })
  return missing
}

/** @throws CommandError if there is a file */
export async function requireNoMedia(media: MediaStore): Promise<void> {
  for (const folder of mediaFolders)
    for await (const path of media.list(folder))
      throw new CommandError(
        `O destino das imagens não está vazio (há ${path}). Use uma pasta ou um bucket vazio. Nada foi mudado.`,
      )
}
