import { countMedia, type StoredMedia, uncountMedia } from './media-bytes.ts'
import type { Database } from './open.ts'

/** Lists the files for deletion before they are written. */
export const announceFiles = (db: Database, paths: readonly string[]): Promise<void> => addFiles(db, paths, 0)

async function addFiles(db: Database, paths: readonly string[], apagando: 0 | 1): Promise<void> {
  if (paths.length === 0) return
  await db
    .insertInto('midias_a_apagar')
    .values(paths.map((caminho) => ({ caminho, apagando })))
    .execute()
}

/**
 * Blocks every later review from using this file. Returns false if a review already used it: the file belongs to an
 * event or no longer exists.
 */
export const markFile = async (db: Database, caminho: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('midias_a_apagar')
    .set({ apagando: 1 })
    .where('caminho', '=', caminho)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const forgetFile = async (db: Database, caminho: string): Promise<void> => {
  await db.deleteFrom('midias_a_apagar').where('caminho', '=', caminho).execute()
}

/** Every listed file. */
export async function listFiles(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('midias_a_apagar').select('caminho').execute()
  return rows.map(({ caminho }) => caminho)
}

/** Listed files that no record may use any more. */
export async function listGivenUp(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('midias_a_apagar').select('caminho').where('apagando', '=', 1).execute()
  return rows.map(({ caminho }) => caminho)
}

/**
 * Takes new files off the list and counts them, for a record that uses them. Returns false if one of them is being
 * deleted; the others are then to be deleted too.
 */
export async function takeFiles(tx: Database, files: readonly StoredMedia[]): Promise<boolean> {
  const taken = await tx
    .deleteFrom('midias_a_apagar')
    .where('caminho', 'in', pathsOf(files))
    .where('apagando', '=', 0)
    .returning('caminho')
    .execute()
  if (taken.length === files.length) {
    await countMedia(tx, files)
    return true
  }
  await addFiles(
    tx,
    taken.map(({ caminho }) => caminho),
    1,
  )
  return false
}

export const pathsOf = (files: readonly StoredMedia[]): string[] => files.map(({ path }) => path)

/** Lists files for deletion in the transaction that deletes their rows, and counts their bytes no more. */
export async function listForDeletion(tx: Database, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await tx
    .insertInto('midias_a_apagar')
    .values(files.map((caminho) => ({ caminho, apagando: 1 as const })))
    .onConflict((oc) => oc.column('caminho').doUpdateSet({ apagando: 1 }))
    .execute()
  await uncountMedia(tx, files)
}
