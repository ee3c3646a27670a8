import type { tiposPendencia } from '@vigia/contracts/pendencias'
import { countByParts, listByParts } from '../../../db/id-parts.ts'
import type { PageRows } from '../../../db/list-page.ts'
import { lockChosen } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { TipoTrabalho } from '../../../db/work-queue/turns.ts'

export type TipoPendencia = (typeof tiposPendencia)[number]

/** Kinds of work by their name on the screen. */
const kinds: Readonly<Record<TipoPendencia, readonly TipoTrabalho[]>> = {
  verificacao: ['verificacao'],
  notificacao: ['notificacao', 'notificacao_lenta'],
}

export const tipoOf = (tipo: TipoTrabalho): TipoPendencia => (tipo === 'verificacao' ? 'verificacao' : 'notificacao')

export interface PendenciaFilter {
  /** null: all Empresas. */
  readonly empresas: readonly number[] | null
  readonly tipo: TipoPendencia | undefined
}

const stopped = (db: Database, { empresas, tipo }: PendenciaFilter) =>
  db
    .selectFrom('trabalhos')
    .where('estado', '=', 'parado')
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(tipo !== undefined, (qb) => qb.where('tipo', 'in', tipo === undefined ? [] : kinds[tipo]))

/** Newest first. */
export const listStopped = (db: Database, filter: PendenciaFilter, page: PageRows) =>
  listByParts(db, 'trabalhos', stopped(db, filter), page)

export type StoppedRow = Awaited<ReturnType<typeof listStopped>>[number]

export const countStopped = (db: Database, filter: PendenciaFilter): Promise<number> =>
  countByParts(db, 'trabalhos', stopped(db, filter))

/** Returns the subjects of the rows: cameras of events, canais and events of notifications. */
export async function readSubjects(db: Database, rows: readonly StoppedRow[]) {
  const keys = (tipo: TipoPendencia) => rows.flatMap((row) => (tipoOf(row.tipo) === tipo ? Number(row.chave) : []))
  const [eventIds, deliveryIds] = [keys('verificacao'), keys('notificacao')]
  const events =
    eventIds.length === 0
      ? []
      : await db.selectFrom('eventos').select(['id', 'camera_nome']).where('id', 'in', eventIds).execute()
  const deliveries =
    deliveryIds.length === 0
      ? []
      : await db
          .selectFrom('entregas')
          .innerJoin('canais_notificacao', 'canais_notificacao.id', 'entregas.canal_id')
          .select(['entregas.id', 'entregas.canal_id', 'entregas.mensagem_json', 'canais_notificacao.empresa_id'])
          .where('entregas.id', 'in', deliveryIds)
          .execute()
  return {
    events: new Map(events.map((event) => [event.id, event])),
    deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
  }
}
export type Subjects = Awaited<ReturnType<typeof readSubjects>>

/** Stopped items with those ids, ordered by id, locked until the transaction ends. */
export const lockStopped = (tx: Database, ids: readonly number[], empresas: readonly number[] | null) =>
  lockChosen(tx, stopped(tx, { empresas, tipo: undefined }).selectAll().where('id', 'in', ids).orderBy('id')).execute()

/** Resets an abandoned delivery to waiting. */
export const reopenDelivery = async (tx: Database, id: number): Promise<void> => {
  await tx
    .updateTable('entregas')
    .set({ estado: 'pendente', terminada_em: null })
    .where('id', '=', id)
    .where('estado', '=', 'desistida')
    .execute()
}
