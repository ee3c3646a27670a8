import type { Database } from '../../../db/open.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import type { TipoTrabalho } from '../../../db/work-queue/turns.ts'

interface NewDelivery {
  readonly tipo: TipoTrabalho
  /** Subject of the work. */
  readonly id: number
  readonly empresaId: number
  /** Its messages are sent one at a time. */
  readonly lane?: string
  /** Messages to it are deferred together. */
  readonly destino?: string
  /** Earliest time; default: at once. */
  readonly em?: number
}

/** Queues deliveries in the transaction that writes their rows. */
export const enqueueDeliveries = (tx: Database, deliveries: readonly NewDelivery[], now: number): Promise<void> =>
  enqueueWork(
    tx,
    deliveries.map(({ tipo, id, empresaId, lane, destino, em = 0 }) => ({
      tipo,
      chave: String(id),
      empresaId,
      prioridade: 0,
      em,
      ...(lane !== undefined && { faixa: lane }),
      ...(destino !== undefined && { grupo: destino }),
    })),
    now,
  )
