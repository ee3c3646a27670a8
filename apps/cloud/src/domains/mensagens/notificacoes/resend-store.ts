import { serverOf } from '../../../adapters/senders/destination-server.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { reviveWork } from '../../../db/work-queue/queue.ts'
import { enqueueDeliveries } from '../delivery/delivery-work.ts'
import { FAST, SLOW } from './destinations-store.ts'

/** undefined: the canal has no such delivery. */
export const findEntrega = (tx: Database, canalId: number, id: number) =>
  tx
    .selectFrom('entregas')
    .select(['id', 'destino', 'estado'])
    .where('canal_id', '=', canalId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Deliveries of a canal that ended without success, oldest first. */
export const listGivenUp = (tx: Database, canalId: number, destinos: readonly string[], limit: number) =>
  destinos.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('entregas')
        .select(['id', 'destino', 'estado'])
        .where('canal_id', '=', canalId)
        .where('estado', '=', 'desistida')
        .where('destino', 'in', destinos)
        .orderBy('id')
        .limit(limit)
        .execute()

/** Makes an abandoned delivery due at once, as if it were new. false: it is not abandoned any more. */
export async function reopenEntrega(
  tx: Database,
  canal: CanalRow,
  { id, destino }: { readonly id: number; readonly destino: string },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entregas')
    .set({ estado: 'pendente', terminada_em: null })
    .where('id', '=', id)
    .where('estado', '=', 'desistida')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  const stopped = await tx
    .selectFrom('trabalhos')
    .select('id')
    .where('tipo', 'in', [FAST, SLOW])
    .where('chave', '=', String(id))
    .executeTakeFirst()
  if (stopped) await reviveWork(tx, stopped.id, now)
  else
    await enqueueDeliveries(
      tx,
      [{ tipo: FAST, id, empresaId: canal.empresa_id, lane: serverOf(canal.tipo, destino), destino }],
      now,
    )
  return true
}
