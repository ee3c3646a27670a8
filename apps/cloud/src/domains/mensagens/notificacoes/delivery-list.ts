import { type EstadoEntrega, estadosEntrega } from '@vigia/contracts/notificacoes'
import { countByParts, listByParts } from '../../../db/id-parts.ts'
import type { PageRows } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'

interface Deliveries {
  readonly canalId: number
  /** undefined: every state. */
  readonly estado: EstadoEntrega | undefined
}

/** Names each state, because the index has the state before the id. */
const deliveriesOf = (db: Database, { canalId, estado }: Deliveries) =>
  db
    .selectFrom('entregas')
    .where('canal_id', '=', canalId)
    .where('estado', 'in', estado === undefined ? estadosEntrega : [estado])

/** Newest first. */
export const listDeliveries = (db: Database, which: Deliveries, page: PageRows) =>
  listByParts(db, 'entregas', deliveriesOf(db, which), page)

export const countDeliveries = (db: Database, which: Deliveries): Promise<number> =>
  countByParts(db, 'entregas', deliveriesOf(db, which))
