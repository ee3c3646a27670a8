import type { Insertable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { QuiosqueRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import type { PageRows } from '../../../http/page-cursor.ts'

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

/** Newest first. */
export const listQuiosques = (
  db: Database,
  which: QuiosqueFilter,
  now: number,
  { before, limit, offset }: PageRows,
): Promise<ListedQuiosque[]> =>
  living(db, which, now)
    .leftJoin('sessoes as s', 's.quiosque_id', 'q.id')
    .$if(before !== null, (qb) => qb.where('q.id', '<', before ?? 0))
    .selectAll('q')
    .select('s.visto_em')
    .orderBy('q.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countQuiosques(db: Database, which: QuiosqueFilter, now: number): Promise<number> {
  const { n } = await living(db, which, now)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
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
