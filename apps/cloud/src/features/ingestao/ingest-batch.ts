import type { Confirmacao } from '@vigia/contracts/candidate'
import type { Clock } from '../../adapters/clock.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import type { Database } from '../../db/open.ts'
import { type BatchPlan, planBatch } from './plan-batch.ts'
import { type ReadBatch, readBatch } from './read-batch.ts'
import { countReserved, readKnown, savePlan } from './store.ts'

export interface IngestDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
}

export type Ingested =
  | { readonly ok: false; readonly motivo: string }
  | {
      readonly ok: true
      /** One for each record that could be read far enough, under its id as the edge wrote it, in their order. */
      readonly respostas: readonly Confirmacao[]
      /** How many events were stored. */
      readonly eventos: number
      readonly numerosUsados: BatchPlan['numerosUsados']
    }

/**
 * Event ids that may be kept free for one edge, of all its cameras: for events on their way, and in all its life. A box that invents
 * numbers would use up the ids of the whole installation (contracts, values.ts: 31 bits); beyond it what was overtaken gets ids in the order of
 * its arrival.
 */
const MAX_ON_THE_WAY = 250_000
const MAX_RESERVED = 20_000_000

/**
 * Stores a batch: its media on disk first, then one transaction. A process killed between the two leaves files without
 * rows, never a row without its files; the edge, without an answer, sends the batch again.
 * Rejects when the database or the disk fails: then nothing may be answered.
 */
export async function ingestBatch(
  { db, media, clock }: IngestDeps,
  edgeId: number,
  payload: Buffer,
): Promise<Ingested> {
  const batch = readBatch(payload)
  if (!batch.ok) return batch
  const agora = clock.now()
  const { midias } = await decide(db, batch, edgeId, agora)
  await media.putAll(midias)
  const written = new Set(midias.map(({ path }) => path))
  const plan = await db.transaction().execute(async (tx) => {
    const decided = await decide(tx, batch, edgeId, agora)
    // A camera was handed to this edge while the media were on their way: the next time they are all there.
    if (decided.midias.some(({ path }) => !written.has(path))) throw new Error('batch changed under way')
    await savePlan(tx, edgeId, decided, decided.known)
    return decided
  })
  return { ok: true, respostas: plan.respostas, eventos: plan.eventos.length, numerosUsados: plan.numerosUsados }
}

async function decide(db: Database, batch: ReadBatch, edgeId: number, agora: number) {
  const known = await readKnown(db, edgeId, batch)
  const plan = planBatch(batch, known, { edgeId, agora, vagas: MAX_ON_THE_WAY })
  if (plan.reservados === 0) return { ...plan, known }
  const { aCaminho, aoTodo } = await countReserved(db, edgeId)
  const vagas = Math.max(0, Math.min(MAX_ON_THE_WAY - aCaminho, MAX_RESERVED - aoTodo))
  return { ...(plan.reservados <= vagas ? plan : planBatch(batch, known, { edgeId, agora, vagas })), known }
}
