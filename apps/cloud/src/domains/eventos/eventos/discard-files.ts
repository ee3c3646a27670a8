import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { isMediaHeld } from '../../../db/media-hold.ts'
import { forgetFile, listFiles, listGivenUp, markFile } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'

export interface DiscardDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly log: Logger
}

/**
 * Deletes the files listed in `midias_a_apagar`. Order: block their use by reviews, delete the file, delete the row.
 * Files that cannot be deleted stay listed for the next start. While a backup copies files, all stay listed.
 */
export async function discardFiles({ db, media, log }: DiscardDeps, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  // Their records are already gone. A backup that begins later therefore names none of them.
  const isHeld = await isMediaHeld(db).catch((err) => {
    log.warn({ err }, 'files not deleted; the next start retries')
    return true
  })
  for (const path of paths) {
    try {
      if (!(await markFile(db, path)) || isHeld) continue
      await media.remove(path)
      await forgetFile(db, path)
    } catch (err) {
      log.warn({ err, caminho: path }, 'file not deleted; the next start retries')
    }
  }
}

/**
 * Completes unfinished reviews of a killed process at the start. A running review of another replica loses its files
 * and writes them again.
 */
export async function sweepFiles(deps: DiscardDeps): Promise<void> {
  await deps.media.recover()
  await discardFiles(deps, await listFiles(deps.db))
}

/** Deletes the files that are listed for deletion and that no review may use any more: those of an ended backup. */
export const discardGivenUp = async (deps: DiscardDeps): Promise<void> => discardFiles(deps, await listGivenUp(deps.db))
