import { transact } from '../../../../db/transaction.ts'
import { finishWork } from '../../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../../db/work-queue/worker.ts'
import type { SweepWorkerDeps } from '../sweep-worker.ts'
import { finishApagamento, runApagamento } from './run-apagamento.ts'
import { findApagamento } from './store.ts'

const LONGEST_WAIT_MS = 60_000

/** Runs the deletions by period. One process holds the work item of a deletion at a time. */
export function createApagamentoWorker(deps: SweepWorkerDeps): Worker {
  const { db, clock } = deps
  return createWorker({
    db,
    clock,
    log: deps.log,
    tipo: 'apagamento',
    atOnce: 1,
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    async handle(claim, signal) {
      const row = await findApagamento(db, Number(claim.chave))
      if (row?.concluido_em === null) await runApagamento({ ...deps, clock: deps.ages }, row, signal)
      if (signal.aborted) return
      await transact(db, async (tx) => {
        if ((await finishWork(tx, claim)) && row) await finishApagamento(tx, row, clock.now())
      })
    },
  })
}
