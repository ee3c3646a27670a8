import type { Database } from './open.ts'
import type { QuiosqueRow } from './rows.ts'

/** Deletes a quiosque with its session. Returns its row; undefined: no such quiosque. */
export const deleteQuiosque = (tx: Database, id: number): Promise<QuiosqueRow | undefined> =>
  tx.deleteFrom('quiosques').where('id', '=', id).returningAll().executeTakeFirst()

/** Deletes the quiosques that a login made, with their sessions. @param kept ids of those that go on */
export const deleteQuiosquesOf = (
  tx: Database,
  usuarioId: number,
  kept: readonly number[] = [],
): Promise<QuiosqueRow[]> =>
  tx
    .deleteFrom('quiosques')
    .where('usuario_id', '=', usuarioId)
    .$if(kept.length > 0, (qb) => qb.where('id', 'not in', kept))
    .returningAll()
    .execute()

/** Logins of these Empresas that made a quiosque and have no second factor. */
export const makersWithoutFactor = (tx: Database, empresas: readonly number[]) =>
  tx
    .selectFrom('usuarios')
    .select(['id', 'empresa_id', 'segundo_fator_ativo'])
    .where('empresa_id', 'in', empresas)
    .where('segundo_fator_ativo', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('quiosques').select('quiosques.id').whereRef('quiosques.usuario_id', '=', 'usuarios.id')),
    )
    .execute()
