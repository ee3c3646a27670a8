import { type Due, isDue } from '../../../db/due.ts'
import { lockChosen } from '../../../db/locks.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'

/**
 * Discarded candidates to delete: those of an Empresa, some that are chosen by id, old ones, or those of
 * removed cameras.
 */
export type Dropped =
  | { readonly empresaId: number }
  | { readonly ids: readonly number[] }
  | { readonly due: Due }
  | { readonly removed: true }

/**
 * Deletes up to `limit` of them, and lists their files for deletion in the same transaction.
 * @param also adds to the transaction; receives their number
 */
export const takeDescartados = (
  db: Database,
  which: Dropped,
  limit: number,
  also: (tx: Database, n: number) => Promise<void> = async () => {},
): Promise<{ readonly n: number; readonly files: string[] }> =>
  transact(db, async (tx) => {
    const all = tx.selectFrom('descartados').select('id').orderBy('id').limit(limit)
    const chosen =
      'empresaId' in which
        ? all.where('empresa_id', '=', which.empresaId)
        : 'ids' in which
          ? all.where('id', 'in', which.ids)
          : 'due' in which
            ? all.where(isDue('recebido_em', which.due))
            : all.where((eb) => eb('camera_id', 'not in', eb.selectFrom('cameras').select('cameras.id')))
    const dropped = await drop(
      tx,
      (await lockChosen(tx, chosen).execute()).map(({ id }) => id),
    )
    await also(tx, dropped.n)
    return dropped
  })

/** Deletes the oldest ones of each camera beyond its newest `most`. */
export async function takeExcess(db: Database, most: number, limit: number) {
  const full = await db
    .selectFrom('descartados')
    .select('camera_id')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .groupBy('camera_id')
    .having(({ fn }) => fn.countAll(), '>', most)
    .execute()
  const files: string[] = []
  for (const { camera_id, n } of full)
    await transact(db, async (tx) => {
      const oldest = await lockChosen(
        tx,
        tx
          .selectFrom('descartados')
          .select('id')
          .where('camera_id', '=', camera_id)
          .orderBy('recebido_em')
          .limit(Math.min(limit, Number(n) - most)),
      ).execute()
      files.push(
        ...(
          await drop(
            tx,
            oldest.map(({ id }) => id),
          )
        ).files,
      )
    })
  return files
}

async function drop(tx: Database, ids: readonly number[]): Promise<{ readonly n: number; readonly files: string[] }> {
  if (ids.length === 0) return { n: 0, files: [] }
  const rows = await tx.deleteFrom('descartados').where('id', 'in', ids).returning('caminho').execute()
  const files = rows.flatMap(({ caminho }) => caminho ?? [])
  await listForDeletion(tx, files)
  return { n: rows.length, files }
}
