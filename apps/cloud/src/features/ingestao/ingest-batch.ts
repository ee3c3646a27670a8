import type { Confirmacao } from '@vigia/contracts/candidate'
import type { Clock } from '../../adapters/clock.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { lockEdge } from '../../db/locks.ts'
import type { Database } from '../../db/open.ts'
import { transact } from '../../db/transaction.ts'
import { onlyReplica, type Replica } from '../../replicas/replica.ts'
import { noTelemetry, type Telemetry } from '../../telemetry/telemetry.ts'
import { countBatch, startSpans } from './batch-telemetry.ts'
import { DEFAULT_BUDGET, type EventoBudget } from './evento-budget.ts'
import { createIdBudget } from './id-budget.ts'
import { lockCounter, readAccounts, saveAccounts } from './ids-store.ts'
import { type BatchPlan, planBatch } from './plan-batch.ts'
import { type ReadBatch, readBatch } from './read-batch.ts'
import { readKnown, savePlan } from './store.ts'

export interface IngestDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
  readonly budget?: EventoBudget
  /** Default: this process is the only cloud. */
  readonly replica?: Pick<Replica, 'requireOwner'>
  readonly telemetry?: Telemetry
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

/** @param traces trace of each event by its uuid */
async function storeBatch(
  { db, media, clock, budget = DEFAULT_BUDGET, replica = onlyReplica }: IngestDeps,
  edgeId: number,
  batch: ReadBatch,
  traces: ReadonlyMap<string, string>,
): Promise<BatchPlan> {
  const now = clock.now()
  // The files of a batch do not depend on the ids of its events.
  const known = { ...(await readKnown(db, edgeId, batch)), ultimoId: 0 }
  const { midias } = planBatch(batch, known, { edgeId, now, ids: createIdBudget(() => [], now) })
  await media.putAll(midias)
  const written = new Set(midias.map(({ path }) => path))
  return await transact(db, async (tx) => {
    await lockEdge(tx, edgeId)
    await replica.requireOwner(tx, edgeId)
    const decided = await decide(tx, batch, edgeId, now)
    // A camera was assigned to this edge while the media were written: the next attempt includes its files.
    if (decided.plan.midias.some(({ path }) => !written.has(path)))
      throw new Error('batch changed during its processing')
    await savePlan(tx, edgeId, decided.plan, decided.known, { budget, now, traces })
    await saveAccounts(tx, decided.charged)
    return decided.plan
  })
}

/** Plans a batch in the transaction that stores it, which has locked the edge. */
async function decide(tx: Database, batch: ReadBatch, edgeId: number, now: number) {
  const ultimoId = await lockCounter(tx)
  const known = { ...(await readKnown(tx, edgeId, batch)), ultimoId }
  const unlimited = createIdBudget(() => [], now)
  const plan = planBatch(batch, known, { edgeId, now, ids: unlimited })
  if (unlimited.touched.size === 0) return { plan, known, charged: [] }
  const ids = createIdBudget(await readAccounts(tx, edgeId, unlimited.touched), now)
  return { plan: planBatch(batch, known, { edgeId, now, ids }), known, charged: ids.charged() }
}
