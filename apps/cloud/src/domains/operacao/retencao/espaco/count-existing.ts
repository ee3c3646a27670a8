import { setTimeout } from 'node:timers/promises'
import { type Background, createBackground } from '@vigia/runtime/background'
import type { MediaStore } from '../../../../adapters/media-store/interface.ts'
import type { Database } from '../../../../db/open.ts'
import type { Logger } from '../../../../http/request-log.ts'
import { countRows, endCount, listNamed, listUncounted } from './count-store.ts'

interface CountDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly log: Logger
}

/** Rows of one transaction. */
const AT_ONCE = 50
/** Pause after each step, as a multiple of its duration. */
const PAUSE = 3
const RETRY_MS = 60_000

/** Counts the files that were stored before the ledger. It may end anywhere, and continues at the next start. */
export async function countExisting({ db, media }: CountDeps, signal: AbortSignal, pause = PAUSE): Promise<void> {
  for (const { tabela, depois } of await listUncounted(db))
    for (let after = depois; !signal.aborted; ) {
      const start = performance.now()
      const next = await listNamed(db, tabela, { after, limit: AT_ONCE })
      if (next === null) {
        await endCount(db, tabela)
        break
      }
      const sizes = new Map<string, number>()
      for (const { path } of next.files) {
        const bytes = await media.size(path)
        if (bytes !== null) sizes.set(path, bytes)
      }
      await countRows(db, tabela, { after, upTo: next.last, limit: AT_ONCE }, sizes)
      after = next.last
      await setTimeout(pause * (performance.now() - start), undefined, { signal }).catch(() => {})
    }
}

/** Runs `countExisting` in the background after a start, until it is done. */
export const createMediaCount = (deps: CountDeps): Background =>
  createBackground(async (signal) => {
    while (!signal.aborted)
      try {
        return await countExisting(deps, signal)
      } catch (err) {
        deps.log.warn({ err }, 'files not counted; will retry')
        await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      }
  })
