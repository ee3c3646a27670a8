import { sql } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

/** The statements of the replicas. Only PostgreSQL runs them. Times are those of the database, epoch ms. */

/** Lease of the replica that does what only one may do at a time. */
export const LEADER = 'lider'
/** Life of a replica's row, and of a lease, without renewal. */
export const LEASE_MS = 10_000

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const until = sql<number>`${now} + ${sql.lit(LEASE_MS)}`

/**
 * Renews the row of this replica.
 * @returns false: the row had ended, so that others may have taken what this replica held
 */
export async function beat(db: Database, id: string, url: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('replicas')
    .set({ ate: until })
    .where('id', '=', id)
    .where('ate', '>', now)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return true
  await db
    .insertInto('replicas')
    .values({ id, url, ate: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ url, ate: until }))
    .execute()
  return false
}

/** Removes this replica, frees its edges and ends its leases. */
export async function leave(db: Database, id: string): Promise<void> {
  await db.updateTable('edges').set({ dono: null }).where('dono', '=', id).execute()
  await db.updateTable('posses').set({ ate: 0 }).where('replica', '=', id).execute()
  await db.deleteFrom('replicas').where('id', '=', id).execute()
}

export interface LiveReplica {
  readonly id: string
  readonly url: string | null
}

/** Replicas whose lease runs, ordered by id. */
export const liveReplicas = (db: Database): Promise<LiveReplica[]> =>
  db.selectFrom('replicas').select(['id', 'url']).where('ate', '>', now).orderBy('id').execute()

/** Deletes the rows of replicas that ended long ago. */
export const forgetReplicas = async (db: Database): Promise<void> => {
  await db.deleteFrom('replicas').where('ate', '<', sql<number>`${now} - 3600000`).execute()
}

/** Takes or renews a lease. @returns its epoch; null: another replica holds it */
export async function takeLease(db: Database, nome: string, replica: string): Promise<number | null> {
  const row = await db
    .insertInto('posses')
    .values({ nome, replica, ate: until, epoca: 1 })
    .onConflict((conflict) =>
      conflict
        .column('nome')
        .doUpdateSet({
          replica,
          ate: until,
          epoca: sql`posses.epoca + case when posses.replica = excluded.replica then 0 else 1 end`,
        })
        .where((eb) => eb.or([eb('posses.replica', '=', replica), eb('posses.ate', '<', now)])),
    )
    .returning('epoca')
    .executeTakeFirst()
  return row?.epoca ?? null
}

/** Condition of a statement that only the leader may run. A leader that was frozen for too long writes nothing. */
export const isLeader = (replica: string) =>
  sql<boolean>`exists (select 1 from posses where nome = ${LEADER} and replica = ${replica} and ate > ${now})`

/** Every activated edge with its owner. */
export const listOwners = (db: Database) =>
  db.selectFrom('edges').select(['id', 'dono']).where('ativado_em', 'is not', null).orderBy('id').execute()

/**
 * Makes `replica` the owner of those edges that no live replica owns.
 * @returns the edges taken, with their epoch
 */
export const takeEdges = (db: Database, replica: string, ids: readonly number[]) =>
  db
    .updateTable('edges')
    .set((eb) => ({ dono: replica, dono_epoca: eb('dono_epoca', '+', 1) }))
    .where('id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb('dono', 'is', null),
        eb('dono', '=', replica),
        eb('dono', 'not in', eb.selectFrom('replicas').select('replicas.id').where('replicas.ate', '>', now)),
      ]),
    )
    .returning(['id', 'dono_epoca'])
    .execute()

/** Frees edges of this replica, for the owner that the others agree on. */
export const freeEdges = async (db: Database, replica: string, ids: readonly number[]): Promise<void> => {
  await db.updateTable('edges').set({ dono: null }).where('id', 'in', ids).where('dono', '=', replica).execute()
}

/** Owner of an edge in the transaction that has locked its row; undefined: no such edge. */
export const ownerOf = (tx: Database, edgeId: number) =>
  tx.selectFrom('edges').select(['dono', 'dono_epoca']).where('id', '=', edgeId).executeTakeFirst()

/**
 * Notes that a publication is due, after the commit of its change. The number also rises after a restored backup,
 * because a broker keeps the list with the highest one.
 * @returns the number of the change
 */
export async function requestPublication(tx: Database, nome: string): Promise<number> {
  const { pedida } = await tx
    .updateTable('publicacoes')
    .set((eb) => ({ pedida: eb.fn<number>('greatest', [eb('pedida', '+', 1), now]) }))
    .where('nome', '=', nome)
    .returning('pedida')
    .executeTakeFirstOrThrow()
  return pedida
}

/** Newest requested and newest enforced change. */
export const publicationOf = (db: Database, nome: string) =>
  db.selectFrom('publicacoes').select(['pedida', 'feita']).where('nome', '=', nome).executeTakeFirstOrThrow()

/** Notes that every change up to `feita` is in force. */
export const confirmPublication = async (db: Database, nome: string, feita: number): Promise<void> => {
  await db.updateTable('publicacoes').set({ feita }).where('nome', '=', nome).where('feita', '<', feita).execute()
}

/** Stores the live pictures that viewers of this replica request of an edge; null: none. Returns the requests of the
 * other replicas. */
export async function shareRequest(
  db: Database,
  { edgeId, tipo, replica, desejo }: { edgeId: number; tipo: TipoVista; replica: string; desejo: unknown },
  ms: number,
): Promise<unknown[]> {
  const ate = sql<number>`${now} + ${ms}`
  if (desejo === null)
    await db
      .deleteFrom('vistas')
      .where('edge_id', '=', edgeId)
      .where('tipo', '=', tipo)
      .where('replica', '=', replica)
      .execute()
  else
    await db
      .insertInto('vistas')
      .values({ edge_id: edgeId, tipo, replica, desejo_json: JSON.stringify(desejo), ate })
      .onConflict((conflict) =>
        conflict.columns(['edge_id', 'tipo', 'replica']).doUpdateSet((eb) => ({
          desejo_json: eb.ref('excluded.desejo_json'),
          ate: eb.ref('excluded.ate'),
        })),
      )
      .execute()
  const rows = await db
    .selectFrom('vistas')
    .select('desejo_json')
    .where('edge_id', '=', edgeId)
    .where('tipo', '=', tipo)
    .where('replica', '<>', replica)
    .where('ate', '>', now)
    .execute()
  return rows.map(({ desejo_json }) => JSON.parse(desejo_json) as unknown)
}

export type TipoVista = Tables['vistas']['tipo']
