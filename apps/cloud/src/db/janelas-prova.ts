import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from './open.ts'
import type { NewEvento } from './rows.ts'

/** Kept times of walk tests of one camera. */
export const MOST_JANELAS = 20

/** Condition of the events of walk tests, with the text of their index (migration 0099). */
export const isOfProva: Expression<SqlBool> = sql<SqlBool>`prova = 1`

/** Begins a walk test of a locked camera, and ends the one before it; epoch ms. Deletes those beyond the newest. */
export async function openJanela(tx: Database, cameraId: number, inicio: number, fim: number): Promise<void> {
  await closeJanela(tx, cameraId, inicio)
  const row = { camera_id: cameraId, inicio, fim }
  await tx.insertInto('janelas_prova').values(row).execute()
  const own = tx.selectFrom('janelas_prova').select('id').where('camera_id', '=', cameraId)
  const oldest = await own.orderBy('id', 'desc').limit(1).offset(MOST_JANELAS).executeTakeFirst()
  if (oldest)
    await tx.deleteFrom('janelas_prova').where('camera_id', '=', cameraId).where('id', '<=', oldest.id).execute()
}

/** Ends the walk test of a locked camera that is under way at `now`. */
export const closeJanela = async (tx: Database, cameraId: number, now: number): Promise<void> => {
  await tx
    .updateTable('janelas_prova')
    .set({ fim: now })
    .where('camera_id', '=', cameraId)
    .where('fim', '>', now)
    .execute()
}

/** A browser's time of a walk differs from that of the cloud by the times of its requests. */
const NEAR_MS = 60_000

/** The walk test that began about `inicio` (epoch ms), by the clock of the cloud; undefined: it was not announced. */
export const janelaNear = (db: Database, cameraId: number, inicio: number) =>
  db
    .selectFrom('janelas_prova')
    .select(['inicio', 'fim'])
    .where('camera_id', '=', cameraId)
    .where('inicio', '>=', inicio - NEAR_MS)
    .where('inicio', '<=', inicio + NEAR_MS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** New events, marked if they occurred during a walk test of their camera. A time that nobody knows is in none. */
export async function markProvas(tx: Database, events: readonly NewEvento[]): Promise<readonly NewEvento[]> {
  const cameraIds = [...new Set(events.map(({ camera_id }) => camera_id))]
  const rows = await tx
    .selectFrom('janelas_prova')
    .select(['camera_id', 'inicio', 'fim'])
    .where('camera_id', 'in', cameraIds)
    .execute()
  if (rows.length === 0) return events
  const isDuring = ({ camera_id, ocorrido_em, hora_ate }: NewEvento) =>
    hora_ate == null &&
    rows.some((one) => one.camera_id === camera_id && one.inicio <= ocorrido_em && ocorrido_em <= one.fim)
  return events.map((event) => (isDuring(event) ? { ...event, prova: 1 as const } : event))
}
