import type { ListaPlaca } from '@vigia/contracts/placas'
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import { pagesByParts } from '../../../db/id-parts.ts'
import type { Pages } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { PlacaRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export interface PlacasFilter {
  /** null: every Empresa. */
  readonly empresas: readonly number[] | null
  readonly lista: ListaPlaca | undefined
  /** LIKE pattern. */
  readonly placa: string | undefined
  /** Part of the plate, in the form of the table, or of owner or note; undefined: all. */
  readonly busca: { readonly placa: string; readonly texto: string } | undefined
}

/** Newest first. */
export const platesOf = (db: Database, { empresas, lista, placa, busca }: PlacasFilter): Pages<PlacaRow> =>
  pagesByParts(
    db,
    'placas',
    db
      .selectFrom('placas')
      .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
      .$if(lista !== undefined, (qb) => qb.where('lista', '=', lista ?? 'permitida'))
      .$if(placa !== undefined, (qb) => qb.where('placa', 'like', placa ?? ''))
      .$if(busca !== undefined, (qb) =>
        qb.where((eb) => {
          const isIn = (field: 'dono' | 'nota') =>
            sql<SqlBool>`lower(${eb.ref(field)}) like ${like(busca?.texto)} escape '\\'`
          return eb.or([...(busca?.placa ? [eb('placa', 'like', `%${busca.placa}%`)] : []), isIn('dono'), isIn('nota')])
        }),
      ),
  )

/** Number of plates in the lists of one Empresa. */
export async function countPlates(db: Database, empresaId: number): Promise<number> {
  const { n } = await db
    .selectFrom('placas')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('empresa_id', '=', empresaId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** LIKE pattern of a part. The text itself holds no pattern. */
const like = (part = ''): string => `%${part.toLowerCase().replaceAll(/[\\%_]/g, (symbol) => `\\${symbol}`)}%`

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
