import type { Expression, Selectable, SqlBool } from 'kysely'
import { expressionBuilder } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'

export type EventRow = Selectable<Tables['eventos']>

export interface EventFilter {
  /** Empresas to look in; null: all. */
  readonly empresas: number[] | null
  readonly cameraId?: number | undefined
  readonly tipo?: EventRow['tipo'] | undefined
  readonly gravidade?: EventRow['gravidade'] | undefined
  readonly veredito?: 'confirmado' | 'refutado' | 'pendente' | undefined
  /** Epoch ms of `ocorrido_em`: `desde` inclusive, `ate` exclusive. */
  readonly desde?: number | undefined
  readonly ate?: number | undefined
}

/** The filter as one condition; every column in it leads an index of `eventos`. */
function matches(filter: EventFilter): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'eventos'>()
  const conditions: Expression<SqlBool>[] = []
  if (filter.empresas) conditions.push(eb('eventos.empresa_id', 'in', filter.empresas))
  if (filter.cameraId !== undefined) conditions.push(eb('eventos.camera_id', '=', filter.cameraId))
  if (filter.tipo !== undefined) conditions.push(eb('eventos.tipo', '=', filter.tipo))
  if (filter.gravidade !== undefined) conditions.push(eb('eventos.gravidade', '=', filter.gravidade))
  if (filter.veredito === 'pendente') conditions.push(eb('eventos.veredito_decisao', 'is', null))
  else if (filter.veredito !== undefined) conditions.push(eb('eventos.veredito_decisao', '=', filter.veredito))
  if (filter.desde !== undefined) conditions.push(eb('eventos.ocorrido_em', '>=', filter.desde))
  if (filter.ate !== undefined) conditions.push(eb('eventos.ocorrido_em', '<', filter.ate))
  return eb.and(conditions)
}

/** One page, newest first by id; `before`: only ids below it. */
export function listEvents(
  db: Database,
  filter: EventFilter,
  page: { readonly before: number | null; readonly limit: number; readonly offset: number },
): Promise<EventRow[]> {
  // The ids first, out of the indexes alone: with several Empresas they have to be sorted, and whole rows are heavy.
  const ids = db
    .selectFrom('eventos')
    .select('eventos.id')
    .where(matches(filter))
    .$if(page.before !== null, (qb) => qb.where('eventos.id', '<', page.before ?? 0))
    .orderBy('eventos.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  return db.selectFrom('eventos').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}

export async function countEvents(db: Database, filter: EventFilter): Promise<number> {
  const { n } = await db
    .selectFrom('eventos')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where(matches(filter))
    .executeTakeFirstOrThrow()
  return n
}

/** Number of events of each combination that occurs, per Empresa: in the order of an index, which spares a sort. */
export const countByKind = (db: Database, filter: EventFilter) =>
  db
    .selectFrom('eventos')
    .select(['tipo', 'gravidade', 'veredito_decisao'])
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where(matches(filter))
    .groupBy(['empresa_id', 'tipo', 'gravidade', 'veredito_decisao'])
    .execute()

/** undefined when there is none of that id in those Empresas (null: all). */
export function findEvent(db: Database, id: number, empresas: number[] | null): Promise<EventRow | undefined> {
  const query = db.selectFrom('eventos').selectAll().where('id', '=', id)
  return (empresas === null ? query : query.where('empresa_id', 'in', empresas)).executeTakeFirst()
}
