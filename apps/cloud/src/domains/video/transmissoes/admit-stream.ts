import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { findAccount } from './store.ts'
import type { Stream, StreamEnd } from './stream-state.ts'
import type { UploadRates } from './upload-rates.ts'
import type { WindowBudget } from './window-budget.ts'

export interface AdmitDeps {
  readonly db: Database
  readonly rates: UploadRates
  readonly budget: WindowBudget
  readonly log: Logger
}

/** Gives the stream its rates and its memory; returns why it cannot. @param over called when its memory is taken */
export async function admit(
  { db, rates, budget, log }: AdmitDeps,
  stream: Stream,
  over: () => void,
): Promise<StreamEnd | null> {
  const account = await findAccount(db, stream.cameraId)
  if (account === null) return 'camera_desconhecida'
  const share = budget.admit(account.rootId, {
    window: stream.window,
    get isIdle() {
      return stream.seats.size === 0
    },
    end() {
      log.warn({ camera: stream.cameraId, fluxo: stream.fluxo }, 'live stream ended: no memory for its window')
      stream.evicted = true
      stream.upload?.abort()
      over()
      stream.wake()
    },
  })
  if (share === null) return 'sem_memoria'
  stream.admission = { meter: rates.meter(account), share }
  return null
}
