import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { CommandError } from '../command.ts'
import { inOrder } from '../in-order.ts'

/** Its files are read piece by piece when their turn comes. All others are pictures. */
const LARGE_FILES = 'clipes/'
const AT_ONCE = 16

export interface MediaOfBackup {
  readonly path: string
  /** null: no such file. */
  readonly file: { readonly size: number; readonly chunks: AsyncIterable<Uint8Array> } | null
}

/** Reads files in the order of their paths, several pictures at a time. */
export const readMedia = (media: MediaStore, paths: Iterable<string>): AsyncIterable<MediaOfBackup> =>
  inOrder(paths, AT_ONCE, async (path) => {
    if (path.startsWith(LARGE_FILES)) {
      const size = await media.size(path)
      return { path, file: size === null ? null : { size, chunks: pieces(media, path) } }
    }
    const bytes = await media.read(path)
    return { path, file: bytes && { size: bytes.length, chunks: one(bytes) } }
  })

async function* one(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes
}

async function* pieces(media: MediaStore, path: string): AsyncIterable<Uint8Array> {
  const stream = await media.open(path)
  if (stream === null) throw new CommandError(`O arquivo ${path} sumiu durante a cópia. Tente de novo.`)
  yield* stream
}
