import type { Insertable, Selectable } from 'kysely'
import { pagesByParts } from '../../../db/id-parts.ts'
import type { Pages } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

/** Reason of the quedas of the cloud itself. They have neither an Empresa nor an edge nor a camera. */
export const CENTRAL_PARADA = 'central_parada'

export type QuedaRow = Selectable<Tables['quedas']>

export interface QuedaFilter {
  /** null: all, including the local edge. */
  readonly empresas: readonly number[] | null
  readonly edgeId: number | undefined
  readonly cameraId: number | undefined
  /** undefined: both. */
  readonly abertas: boolean | undefined
}

const filtered = (db: Database, { empresas, edgeId, cameraId, abertas }: QuedaFilter) =>
  db
    .selectFrom('quedas')
    .$if(empresas !== null, (qb) =>
      qb.where((eb) => {
        // Every Empresa that existed was without the cloud.
        const existed = eb
          .selectFrom('empresas')
          .select('empresas.id')
          .where('empresas.id', 'in', empresas ?? [])
          .whereRef('empresas.criada_em', '<', 'quedas.fim')
        return eb.or([
          eb('quedas.empresa_id', 'in', empresas ?? []),
          eb.and([eb('motivo', '=', CENTRAL_PARADA), eb.exists(existed)]),
        ])
      }),
    )
    .$if(edgeId !== undefined, (qb) => qb.where('edge_id', '=', edgeId ?? 0))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))
    .$if(abertas === true, (qb) => qb.where('fim', 'is', null))
    .$if(abertas === false, (qb) => qb.where('fim', 'is not', null))

/** Newest first, in order of recording. */
export const quedasOf = (db: Database, filter: QuedaFilter): Pages<QuedaRow> =>
  pagesByParts(db, 'quedas', filtered(db, filter))

export const openQuedas = (db: Database): Promise<QuedaRow[]> =>
  db.selectFrom('quedas').selectAll().where('fim', 'is', null).execute()

/** The quedas with these ids. */
export const findQuedas = (db: Database, ids: readonly number[]): Promise<QuedaRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.selectFrom('quedas').selectAll().where('id', 'in', ids).execute()

/** undefined: the edge or camera already has an open queda. */
export const insertQueda = (
  db: Database,
  queda: Omit<Insertable<Tables['quedas']>, 'id' | 'fim'>,
): Promise<QuedaRow | undefined> =>
  db
    .insertInto('quedas')
    .values({ ...queda, fim: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** undefined: it had already ended. */
export const changeQueda = (
  db: Database,
  id: number,
  change: { readonly fim: number } | { readonly motivo: string },
): Promise<QuedaRow | undefined> =>
  db.updateTable('quedas').set(change).where('id', '=', id).where('fim', 'is', null).returningAll().executeTakeFirst()

/** Every edge with the columns of its status. */
export const watchedEdges = (db: Database) =>
  db.selectFrom('edges').select(['id', 'nome', 'empresa_id', 'ativado_em', 'presente', 'visto_em']).execute()

export type WatchedEdge = Awaited<ReturnType<typeof watchedEdges>>[number]

/**
 * Resets edges with a last contact later than `ate` (epoch ms) after the clock was set back; connected edges report
 * again within seconds.
 */
export const forgetFutureEdges = async (db: Database, ate: number): Promise<void> => {
  await db.updateTable('edges').set({ presente: 0 }).where('presente', '=', 1).where('visto_em', '>', ate).execute()
}

/**
 * Marks edges without contact since `desde` (epoch ms) as offline, in case the broker failed to send their last will.
 */
export const forgetSilentEdges = (db: Database, desde: number) =>
  db
    .updateTable('edges')
    .set({ presente: 0 })
    .where('presente', '=', 1)
    .where((eb) => eb.or([eb('visto_em', 'is', null), eb('visto_em', '<', desde)]))
    .execute()

/** Time at which a process of the cloud last ran; null: never. */
export async function findCentralContact(db: Database): Promise<number | null> {
  const row = await db.selectFrom('contato_central').select('visto_em').where('id', '=', 1).executeTakeFirst()
  return row?.visto_em ?? null
}

/** @returns false: another process has written a time since `before` was read. */
export async function writeCentralContact(db: Database, before: number | null, now: number): Promise<boolean> {
  const row =
    before === null
      ? await db
          .insertInto('contato_central')
          .values({ id: 1, visto_em: now })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
      : await db
          .updateTable('contato_central')
          .set({ visto_em: now })
          .where('id', '=', 1)
          .where('visto_em', '=', before)
          .returning('id')
          .executeTakeFirst()
  return row !== undefined
}

export const insertCentralQueda = async (db: Database, times: { inicio: number; fim: number }): Promise<void> => {
  const subject = { empresa_id: null, edge_id: null, camera_id: null, nome: 'Central' }
  await db
    .insertInto('quedas')
    .values({ ...subject, ...times, motivo: CENTRAL_PARADA })
    .execute()
}
