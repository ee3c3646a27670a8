import type { MediaFile, MediaStore } from '../../../adapters/media-store/interface.ts'
import { countedAmong } from '../../../db/media-bytes.ts'
import type { Database } from '../../../db/open.ts'

/**
 * Removes files that a transaction without space did not store. Called by the process that owns the edge: nobody else
 * stores its records meanwhile. After a crash the check of the files removes them (retencao/conciliacao).
 */
export async function removeUncounted(
  { db, media }: { readonly db: Database; readonly media: MediaStore },
  files: readonly MediaFile[],
): Promise<void> {
  const paths = files.map(({ path }) => path)
  const counted = await countedAmong(db, paths)
  for (const path of paths) if (!counted.has(path)) await media.remove(path)
}
