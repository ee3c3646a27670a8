import { setTimeout } from 'node:timers/promises'
import { type Background, createBackground } from '@vigia/runtime/background'
import { type ReconcileDeps, reconcileMedia } from './reconcile-media.ts'

/** After a start other work comes first. */
const FIRST_MS = 3_600_000
/** Other work keeps most of the database and the disk. */
const PAUSE = 9

/** Reconciles files and records once after each start. */
export const createReconciler = (deps: ReconcileDeps): Background =>
  createBackground(async (signal) => {
    await setTimeout(FIRST_MS, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    try {
      const found = await reconcileMedia(deps, { signal, pause: PAUSE, always: false })
      const line = found.deleted < found.orphans ? 'many files without a record: not deleted' : 'files reconciled'
      deps.log[found.deleted < found.orphans ? 'warn' : 'info'](found, line)
    } catch (err) {
      deps.log.warn({ err }, 'files not reconciled; the next start tries again')
    }
  })
