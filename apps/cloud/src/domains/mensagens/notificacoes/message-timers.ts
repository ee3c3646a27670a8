import type { Bus } from '../../../adapters/bus.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { lockIncidente, lockIncidenteOf } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, finishWork } from '../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../db/work-queue/worker.ts'
import type { Logger } from '../../../http/request-log.ts'
import { findAviso, listReported } from './avisos-store.ts'
import { sendDigest } from './digest.ts'
import { sendEnd, sendGroup } from './group-message.ts'
import { enqueueUnverified } from './report-evento.ts'
import { findCanal } from './store.ts'

const AT_ONCE = 4
/** A digest is due within one day; its timer is added up to two days before. */
const LONGEST_WAIT_MS = 2 * 86_400_000

interface TimerDeps {
  readonly db: Database
  readonly clock: Clock
  /** Signals new messages. */
  readonly bus: Bus
  readonly log: Logger
}

/**
 * Runs the timers of messages: the next update or the end of an incidente, events without a verdict, and digests. Each
 * timer is a work item, and its message is queued in the transaction that ends it.
 */
export function createMessageTimers(deps: TimerDeps): Worker {
  const { db, clock, log, bus } = deps
  return createWorker({
    db,
    clock,
    log,
    tipo: 'mensagem',
    atOnce: AT_ONCE,
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    async handle(claim) {
      const isOwn = await transact(db, async (tx) => {
        if (!(await finishWork(tx, claim))) return false
        await runTimer(tx, claim, clock.now())
        return true
      })
      if (!isOwn) return
      bus.publish({ tipo: 'alertas' })
      log.info({ temporizador: claim.chave }, 'message timer done')
    },
  })
}

async function runTimer(tx: Database, { chave }: Claim, now: number): Promise<void> {
  const [kind, ...rest] = chave.split(':')
  const [first = 0, second = 0, third = 0] = rest.map(Number)
  if (kind === 'espera') return runWait(tx, first, now)
  const canal = await findCanal(tx, first)
  const empresa = canal && (await findEmpresa(tx, canal.empresa_id))
  if (!canal || !empresa) return
  if (kind === 'resumo') return sendDigest(tx, { canal, empresa }, second, now)
  if (kind !== 'grupo' && kind !== 'confirma' && kind !== 'fim') throw new Error(`unknown timer ${chave}`)
  await lockIncidente(tx, second)
  const aviso = await findAviso(tx, canal.id, second)
  // A later message has covered the events of this timer.
  if (!aviso || aviso.mensagens !== third || canal.ativo === 0) return
  if (kind === 'fim' && canal.continuacao === 'fim')
    return sendEnd(tx, { canal, empresa, incidenteId: second, aviso }, now)
  const reported = await listReported(tx, canal.id, second)
  if (kind === 'confirma' || reported.some(({ mensagem_id }) => mensagem_id === null))
    await sendGroup(tx, { canal, empresa, incidenteId: second, aviso }, now)
}

async function runWait(tx: Database, eventoId: number, now: number): Promise<void> {
  await lockIncidenteOf(tx, eventoId)
  await enqueueUnverified(tx, eventoId, now)
}
