import { setTimeout } from 'node:timers/promises'
import { type Background, createBackground } from '@vigia/runtime/background'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { fillStep } from './fill-store.ts'

interface FillDeps {
  readonly db: Database
  readonly log: Logger
}

/** Pause after a step, as a multiple of its duration: other work keeps most of the database. */
const PAUSE = 3
const PAUSE_MIN_MS = 5
/** Pause after a failed step. */
const RETRY_MS = 30_000

/** Indexes the records of earlier releases in short steps while the cloud runs. A restart continues where it was. */
export const createIndexFill = ({ db, log }: FillDeps): Background =>
  createBackground(async (signal) => {
    while (!signal.aborted) {
      const start = performance.now()
      let pauseMs = RETRY_MS
      try {
        if (!(await fillStep(db))) return
        pauseMs = Math.max(PAUSE_MIN_MS, PAUSE * (performance.now() - start))
      } catch (err) {
        log.error({ err }, 'search index not filled; will retry')
      }
      await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
    }
  })
