import type { Bus } from '../../adapters/bus.ts'
import { type Claim, finishWork } from '../../db/work-queue/queue.ts'
import { createWorker } from '../../db/work-queue/worker.ts'
import type { Logger } from '../../http/request-log.ts'
import { LONGEST_WAIT_MS } from './retry-policy.ts'
import { findUnverified } from './store.ts'
import { judgeEvent, recordResult, type VerifyDeps } from './verify-evento.ts'

export interface Verification {
  start(): void
  /** Ends the worker and the verifier; what was under way is done again after the next start. */
  stop(): Promise<void>
  /** There may be something new to verify. */
  wake(): void
}

/** Gives each event its verdict. How many at once is the verifier's to say. */
export function createVerification(deps: VerifyDeps & { readonly bus: Bus; readonly log: Logger }): Verification {
  const { db, bus, log, verifier } = deps

  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const row = await findUnverified(db, Number(claim.chave))
    if (!row) {
      await db.transaction().execute((tx) => finishWork(tx, claim))
      return
    }
    const resultado = await judgeEvent(deps, row)
    if (signal.aborted && !resultado.ok) return
    if (!(await recordResult(deps, claim, row, resultado))) return
    if (resultado.ok) {
      bus.publish({ tipo: 'alertas' })
      log.info({ evento_id: row.id, decisao: resultado.decisao, fonte: resultado.fonte }, 'event verified')
    } else {
      log.warn({ evento_id: row.id, falha: resultado.falha, detalhe: resultado.detalhe }, 'event not verified yet')
    }
  }

  const { atOnce } = verifier
  // With several at once, a slot stays free for the other Empresas of the root, and one for the other roots: a verifier that takes
  // seconds makes nobody wait for the events of somebody else.
  const limits = { atOnce, perRoot: Math.max(1, atOnce - 1), perEmpresa: Math.max(1, atOnce - 2) }
  const worker = createWorker({
    ...deps,
    ...limits,
    tipo: 'verificacao',
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    handle,
  })
  return {
    start: worker.start,
    async stop() {
      await Promise.all([worker.stop(), verifier.stop()])
    },
    wake: worker.wake,
  }
}
