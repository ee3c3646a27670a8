import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { auditChange, sistema } from '../../../audit/audit-change.ts'
import type { Database } from '../../../db/open.ts'
import { dropTerms } from '../../../db/search-index.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, finishWork } from '../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../db/work-queue/worker.ts'
import type { Logger } from '../../../http/request-log.ts'
import { deleteDescartadosOf, deleteEventosOf } from '../../eventos/public.ts'
import { deletePassagensOf } from '../../placas/public.ts'
import { deleteRemoved } from './removal-store.ts'

export interface RemovalDeps {
  readonly db: Database
  readonly clock: Clock
  readonly media: MediaStore
  readonly log: Logger
}

const LONGEST_WAIT_MS = 3_600_000

/** Deletes eventos and pictures of removed Empresas in the background, and at last the Empresa. */
export function createRemoval({ db, clock, media, log }: RemovalDeps): Worker {
  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const id = Number(claim.chave)
    // Each batch is durable, so an interrupted removal continues.
    while (!signal.aborted && (await deleteEventosOf({ db, media, log }, id)) > 0) await setImmediate()
    while (!signal.aborted && (await deleteDescartadosOf({ db, media, log }, id)) > 0) await setImmediate()
    while (!signal.aborted && (await deletePassagensOf({ db, media, log }, id)) > 0) await setImmediate()
    while (!signal.aborted && (await dropTerms(db, id))) await setImmediate()
    if (signal.aborted) return
    await transact(db, async (tx) => {
      if (!(await finishWork(tx, claim))) return
      const row = await deleteRemoved(tx, id)
      if (!row) return
      const { nome, empresa_pai_id: empresaId, removida_em } = row
      const pedida_em = removida_em === null ? null : new Date(removida_em).toISOString()
      await auditChange(tx, clock.now(), sistema, {
        acao: 'remover',
        objeto: 'empresa',
        id,
        nome,
        empresaId,
        antes: { nome, pedida_em },
        depois: null,
      })
    })
    log.info({ empresa_id: id }, 'empresa deleted with its events')
  }
  return createWorker({
    db,
    clock,
    log,
    tipo: 'remocao',
    atOnce: 1,
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    handle,
  })
}
