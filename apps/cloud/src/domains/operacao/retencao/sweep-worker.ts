import type { Clock } from '../../../adapters/clock.ts'
import { findEmpresa, listEmpresas } from '../../../db/empresas.ts'
import { deleteDue } from '../../../db/hold-back/hold-back.ts'
import { dropLacunas } from '../../../db/lacunas.ts'
import { transact } from '../../../db/transaction.ts'
import { enqueueWork, finishWork } from '../../../db/work-queue/queue.ts'
import { createWorker } from '../../../db/work-queue/worker.ts'
import { discardGivenUp } from '../../eventos/public.ts'
import { enqueueAviso } from '../../mensagens/public.ts'
import { type SweepDeps, sweepEmpresa } from './sweep-empresa.ts'

const SWEEP_MS = 6 * 3_600_000
/** A new release sweeps some time after its start, so that its administrador can still change the retention. */
const FIRST_MS = 3_600_000
const LONGEST_WAIT_MS = 3_600_000

export interface SweepWorkerDeps extends SweepDeps {
  /** Time that ages count against. */
  readonly ages: Clock
}

/** Sweeps each Empresa every six hours. One process holds the work item of an Empresa at a time. */
export function createRetentionSweep(deps: SweepWorkerDeps) {
  const { db, clock, log } = deps
  let timer: NodeJS.Timeout | undefined
  let planning: Promise<void> = Promise.resolve()
  const worker = createWorker({
    db,
    clock,
    log,
    tipo: 'retencao',
    atOnce: 1,
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    async handle(claim, signal) {
      const id = Number(claim.chave)
      if (await findEmpresa(db, id)) await sweepEmpresa({ ...deps, clock: deps.ages }, id, signal)
      if (!signal.aborted) await transact(db, (tx) => finishWork(tx, claim))
    },
  })

  async function plan(): Promise<void> {
    // Files that a backup kept, if it was killed before its end.
    await discardGivenUp(deps)
    const aged = { db, log, now: deps.ages.now(), warn: enqueueAviso }
    await deleteDue(aged, { tipo: 'lacunas_sem_camera' }, (due) => dropLacunas(db, due))
    const now = clock.now()
    const works = (await listEmpresas(db, null)).map(({ id }) => ({
      tipo: 'retencao' as const,
      chave: String(id),
      empresaId: id,
      prioridade: 0,
      em: now + FIRST_MS,
    }))
    if (works.length > 0) await transact(db, (tx) => enqueueWork(tx, works, now))
  }

  return {
    start() {
      const planned = () => {
        planning = planning.then(plan).catch((err) => log.warn({ err }, 'retention not planned; will retry'))
      }
      planned()
      timer = setInterval(planned, SWEEP_MS)
      timer.unref()
      worker.start()
    },
    async stop() {
      clearInterval(timer)
      await planning
      await worker.stop()
    },
  }
}
