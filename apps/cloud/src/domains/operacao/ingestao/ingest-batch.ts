import type { Confirmacao } from '@vigia/contracts/candidate'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { lockEdge } from '../../../db/locks.ts'
import { NoMediaSpace } from '../../../db/media-bytes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { onlyReplica, type Replica } from '../../../replicas/replica.ts'
import { demandOf, type MediaSpace, unlimitedSpace } from '../../../scope/media-space.ts'
import { noTelemetry, type Telemetry } from '../../../telemetry/telemetry.ts'
import { applyBatch, type DecidedBatch } from './apply-batch.ts'
import { countBatch, startSpans } from './batch-telemetry.ts'
import { DEFAULT_BUDGET, type EventoBudget } from './evento-budget.ts'
import { createIdBudget } from './id-budget.ts'
import { lockCounter, readAccounts } from './ids-store.ts'
import { type BatchPlan, planBatch, recordsOf } from './plan-batch.ts'
import { type ReadBatch, readBatch } from './read-batch.ts'
import { removeUncounted } from './remove-uncounted.ts'
import { readKnown } from './store.ts'

export interface IngestDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
  readonly budget?: EventoBudget
  /** Default: this process is the only cloud. */
  readonly replica?: Pick<Replica, 'requireOwner'>
  readonly telemetry?: Telemetry
  /** Default: no limit is checked before the transaction. */
  readonly space?: MediaSpace
}

export type Ingested =
  | { readonly ok: false; readonly motivo: string }
  | {
      readonly ok: true
      /** One answer for each record with a readable id, in order; the id is returned as received. */
      readonly respostas: readonly Confirmacao[]
      /** Number of stored events and records of passages. */
      readonly gravados: number
      readonly numerosUsados: BatchPlan['numerosUsados']
    }

/**
 * Stores a batch: media files first, then rows in one transaction. A crash between the two leaves files without rows,
 * never rows without files. The edge gets no answer and sends the batch again. Rejects if the database or the disk
 * fails; the caller must then send no answer.
 */
export async function ingestBatch(deps: IngestDeps, edgeId: number, payload: Buffer): Promise<Ingested> {
  const { telemetry = noTelemetry } = deps
  const startedAt = Date.now()
  const batch = await readBatch(payload)
  if (!batch.ok) return batch
  const spans = startSpans(telemetry.tracing, edgeId, batch, startedAt)
  try {
    const plan = await storeBatch(deps, edgeId, batch, spans.traces)
    spans.end(plan.respostas)
    countBatch(telemetry.metrics, plan)
    const gravados = plan.eventos.length + plan.passagens.length
    return { ok: true, respostas: plan.respostas, gravados, numerosUsados: plan.numerosUsados }
  } catch (error) {
    spans.end(null)
    throw error
  }
}

/** Attempts to store a batch, each with fewer Empresas that have space. The next attempt is that of the edge. */
const ATTEMPTS = 3

/** @param traces trace of each event by its uuid */
async function storeBatch(
  deps: IngestDeps,
  edgeId: number,
  batch: ReadBatch,
  traces: ReadonlyMap<string, string>,
): Promise<BatchPlan> {
  const waiting = new Map<number, string>()
  for (let attempt = 1; ; attempt += 1)
    try {
      return await attemptBatch(deps, edgeId, { batch, traces, waiting })
    } catch (error) {
      if (!(error instanceof NoMediaSpace) || attempt === ATTEMPTS) throw error
      // Another edge took the space while the files were written.
      for (const id of error.empresaIds) waiting.set(id, TAKEN)
    }
}

const TAKEN = 'O espaço desta conta acabou agora. As caixas guardam os eventos e esperam.'

interface Attempt {
  readonly batch: ReadBatch
  readonly traces: ReadonlyMap<string, string>
  /** Empresas without space, and the reason. */
  readonly waiting: Map<number, string>
}

async function attemptBatch(
  { db, media, clock, budget = DEFAULT_BUDGET, replica = onlyReplica, space = unlimitedSpace }: IngestDeps,
  edgeId: number,
  { batch, traces, waiting }: Attempt,
): Promise<BatchPlan> {
  const now = clock.now()
  // The files of a batch do not depend on the ids of its events.
  const known = { ...(await readKnown(db, edgeId, batch)), ultimoId: 0 }
  const planNow = () => planBatch(batch, known, { edgeId, now, waiting, ids: createIdBudget(() => [], now) })
  const wanted = planNow()
  const demand = demandOf([...wanted.midias, ...recordsOf(wanted)])
  for (const [id, motivo] of await space.waiting(demand, 'imagem')) waiting.set(id, motivo)
  const { midias } = planNow()
  await media.putAll(midias)
  const written = new Set(midias.map(({ path }) => path))
  try {
    return await transact(db, async (tx) => {
      await lockEdge(tx, edgeId)
      await replica.requireOwner(tx, edgeId)
      const decided = await decide(tx, batch, { edgeId, now, waiting })
      // A camera was assigned to this edge while the media were written: the next attempt includes its files.
      if (decided.plan.midias.some(({ path }) => !written.has(path)))
        throw new Error('batch changed during its processing')
      await applyBatch(tx, edgeId, decided, { budget, now, traces })
      return decided.plan
    })
  } catch (error) {
    if (error instanceof NoMediaSpace) await removeUncounted({ db, media }, midias)
    throw error
  }
}

interface Decision {
  readonly edgeId: number
  readonly now: number
  readonly waiting: ReadonlyMap<number, string>
}

/** Plans a batch in the transaction that stores it, which has locked the edge. */
async function decide(tx: Database, batch: ReadBatch, { edgeId, now, waiting }: Decision): Promise<DecidedBatch> {
  const ultimoId = await lockCounter(tx)
  const known = { ...(await readKnown(tx, edgeId, batch)), ultimoId }
  const unlimited = createIdBudget(() => [], now)
  const plan = planBatch(batch, known, { edgeId, now, waiting, ids: unlimited })
  if (unlimited.touched.size === 0) return { batch, plan, known, charged: [] }
  const ids = createIdBudget(await readAccounts(tx, edgeId, unlimited.touched), now)
  return { batch, plan: planBatch(batch, known, { edgeId, now, waiting, ids }), known, charged: ids.charged() }
}
