import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import { empresasThatWarn } from './store.ts'

/** Time that a verdict may take before canais with `politica` `avisar` get the event. */
const WAIT_MS = 30_000
/** Backlog is verified after live events, and is late anyway. */
const BACKLOG_WAIT_MS = 10 * 60_000

/** Adds the timers of events without a verdict, in the transaction that stores them. */
export async function enqueueWaits(tx: Database, events: readonly NewEvento[], now: number): Promise<void> {
  const warned = await empresasThatWarn(tx, [...new Set(events.map(({ empresa_id }) => empresa_id))])
  await enqueueWork(
    tx,
    events
      .filter(({ empresa_id }) => warned.has(empresa_id))
      .map(({ id, empresa_id, retroativo }) => ({
        tipo: 'mensagem' as const,
        chave: `espera:${id}`,
        empresaId: empresa_id,
        prioridade: 0,
        em: now + (retroativo === 1 ? BACKLOG_WAIT_MS : WAIT_MS),
      })),
    now,
  )
}
