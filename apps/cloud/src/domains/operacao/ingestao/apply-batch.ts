import type { Lacuna } from '@vigia/contracts/candidate'
import { countMediaWithinLimits, keepWithinLimits } from '../../../db/media-bytes.ts'
import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import { enqueueVerification } from '../verificacao/enqueue-verification.ts'
import { spendBudget } from './budget-store.ts'
import { settleDroppedClipes } from './dropped-clipes-store.ts'
import type { EventoBudget } from './evento-budget.ts'
import type { IdAccount } from './id-budget.ts'
import { saveAccounts, takeIds } from './ids-store.ts'
import { linkEvento, savePassagens } from './passagem-store.ts'
import { type BatchPlan, type Known, recordsOf } from './plan-batch.ts'
import type { ReadBatch } from './read-batch.ts'
import { saveGaps, saveSequences } from './store.ts'
import { storeEvents } from './store-eventos.ts'

/** A batch as it was planned in the transaction that stores it: the plan has answered what is a repetition. */
export interface DecidedBatch {
  readonly batch: ReadBatch
  readonly plan: BatchPlan
  /** State that the plan rests on. */
  readonly known: Known
  readonly charged: readonly IdAccount[]
}

interface ApplyOptions {
  readonly budget: EventoBudget
  readonly now: number
  /** Trace of each event by its uuid. */
  readonly traces?: ReadonlyMap<string, string>
}

/** Applies a decided batch in the transaction that decided it. The order of the calls is that of the locks. */
export async function applyBatch(
  tx: Database,
  edgeId: number,
  decided: DecidedBatch,
  { budget, now, traces }: ApplyOptions,
): Promise<void> {
  const { plan, known, charged } = decided
  if (plan.ultimoId > known.ultimoId) await takeIds(tx, plan.ultimoId - known.ultimoId)
  const ofPassages = await storePassagens(tx, edgeId, plan, now)
  const received = [...plan.eventos, ...ofPassages.map(({ evento }) => evento)]
  const eventos = await spendBudget(tx, edgeId, received, budget)
  await enqueueVerification(tx, eventos, now, traces)
  await storeEvents(tx, eventos)
  for (const { passagemId, evento } of ofPassages) await linkEvento(tx, passagemId, evento.id)
  await saveSequences(tx, edgeId, plan.sequencias)
  await saveGaps(tx, edgeId, gapsBefore(plan, known), plan.sequencias)
  await saveAccounts(tx, charged)
  await settleDroppedClipes(tx, edgeId, overlapping(decided), now)
  await countMediaWithinLimits(
    tx,
    plan.midias.map(({ path, empresaId, bytes }) => ({ path, empresaId, bytes: bytes.length })),
  )
  keepWithinLimits(
    tx,
    recordsOf(plan).map(({ empresaId }) => empresaId),
  )
}

/** Stores the passages of a batch. @returns the events that they cause, with their ids */
async function storePassagens(tx: Database, edgeId: number, { passagens }: BatchPlan, now: number) {
  const matched = await savePassagens(tx, passagens, { edgeId, now })
  const first = matched.length === 0 ? 0 : await takeIds(tx, matched.length)
  return matched.map(({ passagemId, evento }, at): { passagemId: number; evento: NewEvento } => ({
    passagemId,
    evento: { ...evento, id: first + at },
  }))
}

const gapsBefore = ({ sequencias }: BatchPlan, known: Known) =>
  [...sequencias.keys()].flatMap((id) => known.sequencias.get(id)?.lacunas ?? [])

/** Accepted gap records of the quota whose first number the cloud had already counted. */
function overlapping({ batch, plan, known }: DecidedBatch): Lacuna[] {
  const accepted = new Set(
    plan.respostas.filter(({ resultado }) => resultado === 'gravado' || resultado === 'repetido').map(({ id }) => id),
  )
  return batch.itens.flatMap((item) => {
    if (!item.ok || item.registro.tipo !== 'lacuna' || item.registro.motivo !== 'cota_de_disco') return []
    const { id, camera_id, de_seq } = item.registro
    return accepted.has(id) && de_seq <= (known.sequencias.get(camera_id)?.ultimo ?? 0) ? [item.registro] : []
  })
}
