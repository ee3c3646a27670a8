import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Span } from '../../db/evento-periods.ts'
import type { Database } from '../../db/open.ts'
import type { EventoRow } from '../../db/rows.ts'
import type { Tables } from '../../db/tables.ts'

/** Filter of events; a missing field accepts all. The span applies to `ocorrido_em`. */
export interface EventoFilter extends Span {
  /** Empresas, at least one; null: all. */
  readonly empresas: readonly number[] | null
  readonly cameraId?: number | undefined
  readonly tipo?: EventoRow['tipo'] | undefined
  readonly gravidade?: EventoRow['gravidade'] | undefined
  readonly situacao?: Tables['contagens_eventos']['situacao'] | undefined
}

/**
 * The verdict of an event, never null. The indexes of migration 0003 have the same text and serve only this exact
 * expression.
 */
export const situacaoOf = (alias: string) =>
  sql<
    Tables['contagens_eventos']['situacao']
  >`cast(coalesce(${sql.ref(`${alias}.veredito_decisao`)}, 'pendente') as text)`

/** Filter columns of the events between two instants, read only from the index of time. */
export const eventsBetween = (db: Pick<Database, 'selectFrom'>, { desde, ate }: Span) =>
  db
    .selectFrom('eventos')
    .select(['id', 'empresa_id', 'camera_id', 'tipo', 'gravidade', situacaoOf('eventos').as('situacao')])
    .$if(desde !== undefined, (qb) => qb.where('ocorrido_em', '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where('ocorrido_em', '<', ate ?? 0))

/** Condition of `filter` on events or counts, without its time. */
export function matches({ empresas, cameraId, tipo, gravidade, situacao }: EventoFilter): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'contagens_eventos'>()
  const conditions: Expression<SqlBool>[] = []
  if (empresas !== null) conditions.push(eb('empresa_id', 'in', empresas))
  if (cameraId !== undefined) conditions.push(eb('camera_id', '=', cameraId))
  if (tipo !== undefined) conditions.push(eb('tipo', '=', tipo))
  if (gravidade !== undefined) conditions.push(eb('gravidade', '=', gravidade))
  if (situacao !== undefined) conditions.push(eb('situacao', '=', situacao))
  return eb.and(conditions)
}
