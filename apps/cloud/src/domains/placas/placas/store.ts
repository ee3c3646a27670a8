import type { ListaPlaca } from '@vigia/contracts/placas'
import type { Insertable, Updateable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { PlacaRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import type { PageRows } from '../../../http/page-cursor.ts'

export interface PlacasFilter {
  /** null: every Empresa. */
  readonly empresas: readonly number[] | null
  readonly lista: ListaPlaca | undefined
  /** LIKE pattern. */
  readonly placa: string | undefined
}

const matching = (db: Database, { empresas, lista, placa }: PlacasFilter) =>
  db
    .selectFrom('placas')
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(lista !== undefined, (qb) => qb.where('lista', '=', lista ?? 'permitida'))
    .$if(placa !== undefined, (qb) => qb.where('placa', 'like', placa ?? ''))

/** Newest first. */
export const listPlates = (
  db: Database,
  filter: PlacasFilter,
  { before, limit, offset }: PageRows,
): Promise<PlacaRow[]> =>
  matching(db, filter)
    .$if(before !== null, (qb) => qb.where('id', '<', before ?? 0))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countPlates(db: Database, filter: PlacasFilter): Promise<number> {
  const { n } = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const findPlate = (db: Database, id: number): Promise<PlacaRow | undefined> =>
  db.selectFrom('placas').selectAll().where('id', '=', id).executeTakeFirst()

/** @throws unique violation (db/errors.ts) when the Empresa lists this plate */
export const insertPlate = (db: Database, values: Insertable<Tables['placas']>): Promise<PlacaRow> =>
  db.insertInto('placas').values(values).returningAll().executeTakeFirstOrThrow()

export const updatePlate = (db: Database, id: number, values: Updateable<Tables['placas']>): Promise<PlacaRow> =>
  db.updateTable('placas').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deletePlate = async (db: Database, id: number): Promise<void> => {
  await db.deleteFrom('placas').where('id', '=', id).execute()
}

/** Those of `placas` that the Empresa lists. @param placas at most some hundred, because each is a variable */
export const findPlates = (db: Database, empresaId: number, placas: readonly string[]): Promise<PlacaRow[]> =>
  db.selectFrom('placas').selectAll().where('empresa_id', '=', empresaId).where('placa', 'in', placas).execute()

/** Inserts plates, and replaces all but `criada_em` of those that exist. @param rows at most some hundred */
export const savePlates = async (db: Database, rows: readonly Insertable<Tables['placas']>[]): Promise<void> => {
  await db
    .insertInto('placas')
    .values(rows)
    .onConflict((oc) =>
      oc.columns(['empresa_id', 'placa']).doUpdateSet(({ ref }) => ({
        lista: ref('excluded.lista'),
        nota: ref('excluded.nota'),
        dono: ref('excluded.dono'),
        validade: ref('excluded.validade'),
        atualizada_em: ref('excluded.atualizada_em'),
      })),
    )
    .execute()
}
