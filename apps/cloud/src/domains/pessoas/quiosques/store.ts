import type { Insertable } from 'kysely'
import { countOf, newestFirst, type Pages } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { QuiosqueRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export interface QuiosqueFilter {
  /** null: every Empresa. */
  readonly empresas: readonly number[] | null
  /** The login that made them; null: every login. */
  readonly usuarioId: number | null
}

/** Quiosques that have not expired. */
const living = (db: Database, { empresas, usuarioId }: QuiosqueFilter, now: number) =>
  db
    .selectFrom('quiosques as q')
    .where('q.expira_em', '>', now)
    .$if(empresas !== null, (qb) => qb.where('q.empresa_id', 'in', empresas ?? []))
    .$if(usuarioId !== null, (qb) => qb.where('q.usuario_id', '=', usuarioId ?? 0))

/** A quiosque with the last use of its session; null: the session has ended. */
export interface ListedQuiosque extends QuiosqueRow {
  readonly visto_em: number | null
}

export const quiosquesOf = (db: Database, which: QuiosqueFilter, now: number): Pages<ListedQuiosque> => {
  const all = living(db, which, now)
  const listed = all.leftJoin('sessoes as s', 's.quiosque_id', 'q.id').selectAll('q').select('s.visto_em')
  return { read: (page) => newestFirst(listed, page, 'q.id'), count: () => countOf(all) }
}

export const findQuiosque = (db: Database, id: number): Promise<QuiosqueRow | undefined> =>
  db.selectFrom('quiosques').selectAll().where('id', '=', id).executeTakeFirst()

/** Removes expired quiosques, so that their names are free. */
export const deleteExpired = async (tx: Database, empresaId: number, now: number): Promise<void> => {
  await tx.deleteFrom('quiosques').where('empresa_id', '=', empresaId).where('expira_em', '<=', now).execute()
}

/** @throws unique violation (db/errors.ts) when the Empresa has a quiosque of this name */
export const insertQuiosque = (tx: Database, values: Insertable<Tables['quiosques']>): Promise<QuiosqueRow> =>
  tx.insertInto('quiosques').values(values).returningAll().executeTakeFirstOrThrow()
