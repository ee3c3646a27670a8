import type { Database } from '../../db/open.ts'
import type { NewEvento } from '../../db/rows.ts'
import { enqueueWork } from '../../db/work-queue/queue.ts'

/** Adds stored events to the queue of verification, in the transaction that stores them. */
export const enqueueVerification = (tx: Database, events: readonly NewEvento[], now: number): Promise<void> =>
  enqueueWork(
    tx,
    events.map((event) => ({
      tipo: 'verificacao',
      chave: String(event.id),
      empresaId: event.empresa_id,
      prioridade:
        PRIORITY[event.gravidade] + (event.retroativo === 1 || isDeferred(event.detalhes_json) ? DEFERRED : 0),
    })),
    now,
  )

const PRIORITY = { critica: 0, alta: 1, media: 2, baixa: 3 } as const

/** Events that waited on their box, or that exceed the budget of their camera, come after the live ones of their Empresa. */
const DEFERRED = 4

const isDeferred = (detalhesJson: string): boolean => 'adiado' in (JSON.parse(detalhesJson) as object)
