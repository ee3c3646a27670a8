import type { EstadoEntrega } from '@vigia/contracts/notificacoes'
import type { Database } from '../../db/open.ts'
import type { PageRows } from '../../http/page-cursor.ts'

interface Deliveries {
  readonly canalId: number
  /** undefined: every state. */
  readonly estado: EstadoEntrega | undefined
}

const deliveriesOf = (db: Database, { canalId, estado }: Deliveries) =>
  db
    .selectFrom('entregas')
    .where('canal_id', '=', canalId)
    .$if(estado !== undefined, (qb) => qb.where('estado', '=', estado ?? 'pendente'))

/** Newest first. */
export const listDeliveries = (db: Database, which: Deliveries, { before, limit, offset }: PageRows) =>
  deliveriesOf(db, which)
    .selectAll()
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countDeliveries(db: Database, which: Deliveries): Promise<number> {
  const { n } = await deliveriesOf(db, which)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
