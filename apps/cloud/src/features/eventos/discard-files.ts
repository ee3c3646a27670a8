import type { MediaStore } from '../../adapters/media-store/interface.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { forgetFile, listFiles, markFile } from './review-store.ts'

export interface DiscardDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly log: Logger
}

/**
 * Deletes files that are written down in `midias_a_apagar`: first no review may use the file any more, then it goes, then
 * its line. What cannot be deleted now stays written down for the next start.
 */
export async function discardFiles({ db, media, log }: DiscardDeps, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    try {
      if (!(await markFile(db, path))) continue
      await media.remove(path)
      await forgetFile(db, path)
    } catch (err) {
      log.warn({ err, caminho: path }, 'file not deleted; it will be tried again at the next start')
    }
  }
}

/**
 * Finishes, at the start, what a killed process left of its reviews. A review that another replica has under way loses its
 * files to this and writes them again.
 */
export async function sweepFiles(deps: DiscardDeps): Promise<void> {
  await deps.media.recover()
  await discardFiles(deps, await listFiles(deps.db))
}
