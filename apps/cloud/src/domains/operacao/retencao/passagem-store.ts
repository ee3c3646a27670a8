import { isDue } from '../../../db/due.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import { lockUnheld, passagesOf, takePassages } from '../../../db/passagens.ts'
import { transact } from '../../../db/transaction.ts'
import type { Take } from './log-store.ts'
import { recordRemoved } from './store.ts'

/** Passages with records and pictures, except those of preserved events. Their events stay, without the picture. */
export const takePassagens: Take = async (db, { empresaId, due, now, limit }) => {
  const old = await passagesOf(db, empresaId, now)
    .select('id')
    .where(isDue('recebida_em', due))
    .orderBy('recebida_em')
    .limit(limit)
    .execute()
  return transact(db, async (tx) => {
    const { times } = await takePassages(
      tx,
      old.map(({ id }) => id),
      now,
    )
    await recordRemoved(tx, { empresaId, tipo: 'passagens', times }, now)
    return times.length
  })
}

/**
 * Removes the pictures of these passages, except of a preserved event, and lists the files for deletion. The training
 * data stay.
 */
export const takePassagePictures = (
  db: Database,
  { empresaId, ids, now }: { readonly empresaId: number; readonly ids: readonly number[]; readonly now: number },
): Promise<string[]> =>
  transact(db, async (tx) => {
    const due = await lockUnheld(tx, ids, now)
    if (due.length === 0) return []
    const gone = await tx
      .selectFrom('passagens')
      .select(['foto_path', 'foto_placa_path', 'recebida_em'])
      .where('id', 'in', due)
      .execute()
    const files = gone.flatMap(({ foto_path, foto_placa_path }) => [foto_path, foto_placa_path].flatMap((p) => p ?? []))
    await tx.updateTable('passagens').set({ foto_path: null, foto_placa_path: null }).where('id', 'in', due).execute()
    if (files.length > 0)
      await tx
        .updateTable('eventos')
        .set({ crop_path: null })
        .where('passagem_id', 'in', due)
        .where('crop_path', 'in', files)
        .execute()
    await listForDeletion(tx, files)
    await recordRemoved(tx, { empresaId, tipo: 'imagens', times: gone.map(({ recebida_em }) => recebida_em) }, now)
    return files
  })
