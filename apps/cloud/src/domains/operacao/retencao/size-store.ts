import type { ExpressionBuilder } from 'kysely'
import { type Due, isDue } from '../../../db/due.ts'
import { heldClipeIds, heldEventoIds } from '../../../db/held-eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

/**
 * Pictures of events that were not weighed on arrival: of earlier releases, or of passages. Only those that arrived
 * before a time, oldest first.
 */
export async function listUnmeasured(db: Database, empresaId: number, before: number, limit: number) {
  const rows = await db
    .selectFrom('eventos')
    .select(['id', 'crop_path', 'quadro_path', 'recebido_em'])
    .where('empresa_id', '=', empresaId)
    .where('midia_bytes', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  const due = rows.filter(({ recebido_em }) => recebido_em < before)
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  const further = await db
    .selectFrom('evidencias')
    .select(['evento_id', 'caminho'])
    .where('evento_id', 'in', ids)
    .execute()
  return due.map(({ id, crop_path, quadro_path }) => ({
    id,
    paths: [
      ...[crop_path, quadro_path].flatMap((path) => path ?? []),
      ...further.flatMap(({ evento_id, caminho }) => (evento_id === id ? caminho : [])),
    ],
  }))
}

export const saveMeasured = async (db: Database, id: number, bytes: number): Promise<void> => {
  await db
    .updateTable('eventos')
    .set({ midia_bytes: bytes })
    .where('id', '=', id)
    .where('midia_bytes', 'is', null)
    .execute()
}

/** Arrival of the first event that is still stored; null: none. @param empresaId null: of the installation */
export async function firstArrival(db: Database, empresaId: number | null): Promise<number | null> {
  const first = db.selectFrom('eventos').select('recebido_em').limit(1)
  const row = await (empresaId === null
    ? first.orderBy('id')
    : first.where('empresa_id', '=', empresaId).orderBy('recebido_em')
  ).executeTakeFirst()
  return row === undefined ? null : Number(row.recebido_em)
}

/** Bytes of pictures or clips: all, those since a time, and those of events preserved at `now`. */
export interface Used {
  readonly all: number
  readonly since: number
  readonly held: number
}

/** @param empresaId null: of the installation */
export async function usedByPictures(
  db: Database,
  empresaId: number | null,
  since: number,
  now: number,
): Promise<Used> {
  const events = db
    .selectFrom('eventos')
    .select(({ fn }) => fn.sum<number | null>('midia_bytes').as('bytes'))
    .$if(empresaId !== null, (qb) => qb.where('empresa_id', '=', empresaId))
  const all = await events.executeTakeFirstOrThrow()
  const recent = await events.where('recebido_em', '>=', since).executeTakeFirstOrThrow()
  const held = await events.where('id', 'in', heldEventoIds(db, now)).executeTakeFirstOrThrow()
  return { all: Number(all.bytes ?? 0), since: Number(recent.bytes ?? 0), held: Number(held.bytes ?? 0) }
}

/** Bytes of a clip with its H.264 copy. */
const withCopy = (eb: ExpressionBuilder<Tables, 'clipes'>) =>
  eb('tamanho', '+', eb.fn.coalesce('copia_tamanho', eb.lit(0)))

/** @param empresaId null: of the installation */
export async function usedByClipes(db: Database, empresaId: number | null, since: number, now: number): Promise<Used> {
  const clipes = db
    .selectFrom('clipes')
    .select((eb) => eb.fn.sum<number | null>(withCopy(eb)).as('bytes'))
    .where('estado', '=', 'guardado')
    .$if(empresaId !== null, (qb) => qb.where('empresa_id', '=', empresaId))
  const all = await clipes.executeTakeFirstOrThrow()
  const recent = await clipes.where('recebido_em', '>=', since).executeTakeFirstOrThrow()
  const held = await clipes.where('id', 'in', heldClipeIds(db, now)).executeTakeFirstOrThrow()
  return { all: Number(all.bytes ?? 0), since: Number(recent.bytes ?? 0), held: Number(held.bytes ?? 0) }
}

/** Events with measured pictures that are not preserved, oldest first. */
export const listOldestPictures = (db: Database, empresaId: number, now: number, limit: number) =>
  db
    .selectFrom('eventos')
    .select((eb) => ['id', eb.ref('midia_bytes').$notNull().as('bytes')])
    .where('empresa_id', '=', empresaId)
    .where('midia_bytes', '>', 0)
    .where('id', 'not in', heldEventoIds(db, now))
    .orderBy('recebido_em')
    .limit(limit)
    .execute()

/** Stored clips without a preserved event, oldest first. @param due null: any age */
export const listOldestClipes = (
  db: Database,
  { empresaId, now, due, limit }: { empresaId: number; now: number; due: Due | null; limit: number },
) =>
  db
    .selectFrom('clipes')
    .select((eb) => ['id', withCopy(eb).as('bytes')])
    .where('empresa_id', '=', empresaId)
    .where(due === null ? (eb) => eb('estado', '=', 'guardado') : isDue('recebido_em', due))
    .where('id', 'not in', heldClipeIds(db, now))
    .orderBy('recebido_em')
    .limit(limit)
    .execute()
