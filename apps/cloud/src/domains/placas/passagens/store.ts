import type { PassagensQuery } from '@vigia/contracts/passagens'
import { sql, type Updateable } from 'kysely'
import { countByParts, IDS_OF_PART, idsByParts, listByParts } from '../../../db/id-parts.ts'
import type { PageRows, Pages } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import type { PassagemRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export interface PassagensFilter extends Pick<PassagensQuery, 'situacao' | 'veiculo' | 'cor'> {
  /** null: every Empresa. */
  readonly empresas: readonly number[] | null
  readonly cameraId: number | undefined
  /** LIKE patterns, any of which matches; undefined: every passage. */
  readonly placas: readonly string[] | undefined
  readonly comPlaca: boolean
  readonly semPlaca: boolean
  /** Times of the edges' clocks in epoch ms: from, and before. */
  readonly desde: number | undefined
  readonly ate: number | undefined
}

/** @param isLong the period has many passages, so that its index helps less than the order of ids */
const matching = (db: Database, filter: PassagensFilter, isLong: boolean) => {
  // A plus keeps SQLite, which has no statistics here, from the index of the column (sqlite.org/optoverview.html).
  const occurred = isLong ? sql<number>`+ocorrido_em` : sql.ref<number>('ocorrido_em')
  const { empresas, cameraId, placas, comPlaca, semPlaca, situacao, veiculo, cor, desde, ate } = filter
  return db
    .selectFrom('passagens')
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .$if(placas !== undefined, (qb) =>
      qb.where((eb) => eb.or((placas ?? []).map((pattern) => eb('placa', 'like', pattern)))),
    )
    .$if(comPlaca, (qb) => qb.where('placa', 'is not', null))
    .$if(semPlaca, (qb) => qb.where('placa', 'is', null))
    .$if(situacao !== undefined, (qb) => qb.where('situacao', '=', situacao ?? null))
    .$if(veiculo !== undefined, (qb) => qb.where('veiculo', '=', veiculo ?? null))
    .$if(cor !== undefined, (qb) => qb.where('cor', '=', cor ?? null))
    .$if(desde !== undefined, (qb) => qb.where(occurred, '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where(occurred, '<', ate ?? 0))
}

/** Whether a statement of a part would read more passages through the index of the period than the part has. */
async function isLong(db: Database, { empresas, desde, ate }: PassagensFilter): Promise<boolean> {
  if (isPostgres(db) || empresas === null || (desde === undefined && ate === undefined)) return false
  const some = db
    .selectFrom('passagens')
    .select('ocorrido_em')
    .where('empresa_id', 'in', empresas)
    .$if(desde !== undefined, (qb) => qb.where('ocorrido_em', '>=', desde ?? 0))
    .$if(ate !== undefined, (qb) => qb.where('ocorrido_em', '<', ate ?? 0))
    .limit(IDS_OF_PART + 1)
  const { n } = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n) > IDS_OF_PART
}

const matchingPart = async (db: Database, filter: PassagensFilter) => matching(db, filter, await isLong(db, filter))

/** Newest first, by arrival. */
export const passagesOf = (db: Database, filter: PassagensFilter): Pages<PassagemRow> => ({
  read: async (page) => listByParts(db, 'passagens', await matchingPart(db, filter), page),
  count: async () => countByParts(db, 'passagens', await matchingPart(db, filter)),
})

/** Columns of an exported passage. */
const exported = [
  ...(['id', 'ocorrido_em', 'camera_nome', 'local', 'placa', 'situacao', 'sentido'] as const),
  ...(['veiculo', 'cor', 'confianca', 'fim', 'hora_de', 'hora_ate'] as const),
] as const

export type ExportedRow = Pick<PassagemRow, (typeof exported)[number]>

/** Newest first, by arrival. @param before only rows with a lower id; null: starts with the newest */
export async function listExported(
  db: Database,
  filter: PassagensFilter,
  { before, limit }: Pick<PageRows, 'before' | 'limit'>,
): Promise<ExportedRow[]> {
  const ids = await idsByParts(db, 'passagens', await matchingPart(db, filter), { before, limit, offset: 0 })
  return db.selectFrom('passagens').select(exported).where('id', 'in', ids).orderBy('id', 'desc').execute()
}

/** `instrucoes` of the camera as stored; none if it was removed. */
export async function readInstructions(tx: Database, cameraId: number): Promise<string> {
  const row = await tx.selectFrom('cameras').select('instrucoes_json').where('id', '=', cameraId).executeTakeFirst()
  return row?.instrucoes_json ?? '[]'
}

export const saveCorrection = (
  tx: Database,
  id: number,
  values: Updateable<Tables['passagens']>,
): Promise<PassagemRow> =>
  tx.updateTable('passagens').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
