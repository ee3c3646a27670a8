import type { Database } from '../../../db/open.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'

interface Doubtful {
  readonly id: number
  readonly empresa_id: number
  readonly veredito_decisao: 'confirmado' | 'refutado' | null
  readonly veredito_certeza: 'alta' | 'baixa' | null
}

/**
 * Adds the work on later pictures of doubtful events, in the transaction that stores the pictures or the verdict. Both
 * lock the event, so that the later of the two adds it.
 */
export const enqueueEvidencia = (tx: Database, events: readonly Doubtful[], now: number): Promise<void> =>
  enqueueWork(
    tx,
    events
      .filter((event) => event.veredito_decisao === 'confirmado' && event.veredito_certeza === 'baixa')
      .map((event) => ({ tipo: 'evidencia', chave: String(event.id), empresaId: event.empresa_id, prioridade: 0 })),
    now,
  )
