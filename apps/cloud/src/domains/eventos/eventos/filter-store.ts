import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Span } from '../../../db/evento-periods.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import { type ClasseVeredito, classExpression } from '../../../db/verdict-class.ts'

/** Filter of events; a missing field accepts all. The span applies to `ocorrido_em`. */
export interface EventoFilter extends Span {
  /** Empresas, at least one; null: all. */
  readonly empresas: readonly number[] | null
  readonly cameraId?: number | undefined
  readonly tipo?: EventoRow['tipo'] | undefined
  readonly gravidade?: EventoRow['gravidade'] | undefined
  /** true: the events of walk tests are left out. */
  readonly semProvas?: boolean | undefined
  /** Classes of the verdict, at least one. */
  readonly situacao?: readonly ClasseVeredito[] | undefined
}

/** Filter columns of the events between two instants, read only from the index of time. */
export const eventsBetween = (
  db: Pick<Database, 'selectFrom'>,
  { desde, ate, semProvas }: Span & Pick<EventoFilter, 'semProvas'>,
) =>
  db
    .selectFrom('eventos')
    .select(['id', 'empresa_id', 'camera_id', 'tipo', 'gravidade', classExpression('eventos').as('situacao')])
    .$if(desde !== undefined, (qb) => qb.where('ocorrido_em', '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where('ocorrido_em', '<', ate ?? 0))
    .$if(semProvas === true, (qb) => qb.where('prova', '=', 0))

/** Condition of `filter` on events or counts, without its time. */
export function matches({ empresas, cameraId, tipo, gravidade, situacao }: EventoFilter): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'contagens_eventos'>()
  const conditions: Expression<SqlBool>[] = []
  if (empresas !== null) conditions.push(eb('empresa_id', 'in', empresas))
  if (cameraId !== undefined) conditions.push(eb('camera_id', '=', cameraId))
  if (tipo !== undefined) conditions.push(eb('tipo', '=', tipo))
  if (gravidade !== undefined) conditions.push(eb('gravidade', '=', gravidade))
  if (situacao !== undefined) conditions.push(eb('situacao', 'in', situacao))
  return eb.and(conditions)
}
