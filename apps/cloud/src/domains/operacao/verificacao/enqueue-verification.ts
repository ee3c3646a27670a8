import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import { enqueueWaits } from '../../mensagens/public.ts'

/**
 * Adds events to the verification queue, in the transaction that stores them.
 * @param traces trace of each event by its uuid; none: that of the current activity
 */
export async function enqueueVerification(
  tx: Database,
  events: readonly NewEvento[],
  now: number,
  traces?: ReadonlyMap<string, string>,
): Promise<void> {
  await enqueueWork(
    tx,
    events.map((event) => ({
      tipo: 'verificacao',
      chave: String(event.id),
      traceparent: traces?.get(event.uuid) ?? null,
      empresaId: event.empresa_id,
      prioridade:
        PRIORITY[event.gravidade] + (event.retroativo === 1 || isDeferred(event.detalhes_json) ? DEFERRED : 0),
    })),
    now,
  )
  await enqueueWaits(tx, events, now)
}

const PRIORITY = { critica: 0, alta: 1, media: 2, baixa: 3 } as const

/**
 * Offset for events of the backlog or above the budget of their camera, which follow the live events of their Empresa.
 */
const DEFERRED = 4

const isDeferred = (detalhesJson: string): boolean => 'adiado' in (JSON.parse(detalhesJson) as object)
