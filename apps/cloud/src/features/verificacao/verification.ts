import { unwritableDisk } from '@vigia/runtime/disk-failure'
import type { Logger } from '../../http/request-log.ts'
import type { Bus } from '../alertas/bus.ts'
import { nextDue, nextPending } from './store.ts'
import { judgeEvent, recordResult, type VerifyDeps } from './verify-event.ts'

export interface Verification {
  start(): void
  /** Ends the loop and the verifier; what was under way is done again after the next start. */
  stop(): Promise<void>
  /** There may be something new to verify. */
  wake(): void
}

/** Longest sleep: another process may have stored something. */
const IDLE_MS = 5000
const AFTER_ERROR_MS = 2000
/** Every try costs a run of the model. */
const AFTER_FULL_DISK_MS = 10_000

/**
 * Works through the events without a verdict, one at a time, in the order of `nextPending`. The queue is the table itself: nothing is
 * remembered here, so a restart at any moment loses nothing.
 */
export function createVerification(deps: VerifyDeps & { readonly bus: Bus; readonly log: Logger }): Verification {
  const { db, clock, bus, log, verifier } = deps
  let stopping = false
  let woken = false
  let turn = 0
  let interrupt = () => {}
  let loop: Promise<void> = Promise.resolve()

  const sleep = async (ms: number) => {
    if (!woken && !stopping)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        interrupt = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    woken = false
  }

  const step = async (): Promise<void> => {
    const row = await nextPending(db, clock.now(), turn)
    if (!row) {
      const due = await nextDue(db)
      return sleep(due === null ? IDLE_MS : Math.min(IDLE_MS, Math.max(10, due - clock.now())))
    }
    turn += 1
    const resultado = await judgeEvent(deps, row)
    // Stopped while it looked: that was no attempt.
    if (stopping && !resultado.ok) return
    await recordResult(deps, row, resultado)
    if (resultado.ok) {
      bus.publish({ tipo: 'alertas' })
      log.info({ evento_id: row.id, decisao: resultado.decisao, fonte: resultado.fonte }, 'event verified')
    } else {
      log.warn({ evento_id: row.id, falha: resultado.falha, detalhe: resultado.detalhe }, 'event not verified yet')
    }
  }

  const run = async () => {
    while (!stopping) {
      try {
        await step()
      } catch (err) {
        log.error({ err }, 'verification failed; trying again')
        await sleep(unwritableDisk(err) === null ? AFTER_ERROR_MS : AFTER_FULL_DISK_MS)
      }
    }
  }

  return {
    start() {
      loop = run()
    },
    async stop() {
      stopping = true
      interrupt()
      await verifier.stop()
      await loop
    },
    wake() {
      woken = true
      interrupt()
    },
  }
}
