import { copyPath, discardCopies, filesOfClipe } from '../../../db/clipes.ts'
import { lockChosen } from '../../../db/locks.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Chosen, heldAmong, lockWithIncidentes } from './evento-store.ts'
import { recordRemoved } from './store.ts'

/** Locks the events of these clips. @returns the clips that no hold keeps, and their events */
async function lockUnheldClipes(tx: Database, ids: readonly number[], now: number) {
  const ofClips = tx.selectFrom('clipes_eventos').selectAll().where('clipe_id', 'in', ids)
  const members = await lockChosen(tx, ofClips).execute()
  const eventos = members.map(({ evento_id }) => evento_id).sort((a, b) => a - b)
  const { eventos: held } = await heldAmong(tx, await lockWithIncidentes(tx, eventos), now)
  const keep = new Set(members.flatMap(({ evento_id, clipe_id }) => (held.has(evento_id) ? (clipe_id ?? []) : [])))
  return {
    gone: ids.filter((id) => !keep.has(id)),
    eventos: members.flatMap(({ evento_id, clipe_id }) => (keep.has(clipe_id ?? 0) ? [] : evento_id)),
  }
}

/**
 * Deletes these clips, except those of a preserved event, and lists the files for deletion.
 * @param motivo why their events have none
 */
export const takeOldClipes = (
  db: Database,
  { empresaId, ids, now }: Chosen,
  motivo: 'prazo' | 'espaco' = 'prazo',
): Promise<string[]> =>
  transact(db, async (tx) => {
    const { gone, eventos } = await lockUnheldClipes(tx, ids, now)
    if (gone.length === 0) return []
    if (eventos.length > 0) await tx.updateTable('eventos').set({ clipe_em: null }).where('id', 'in', eventos).execute()
    await tx.updateTable('clipes_eventos').set({ clipe_id: null, motivo }).where('clipe_id', 'in', gone).execute()
    const rows = await tx
      .deleteFrom('clipes')
      .where('id', 'in', gone)
      .returning(['uuid', 'edge_id', 'empresa_id', 'estado', 'guardado_em', 'caminho', 'tira', 'codec', 'recebido_em'])
      .execute()
    await discardCopies(tx, rows, now)
    const files = rows.flatMap(filesOfClipe)
    await listForDeletion(tx, files)
    await recordRemoved(tx, { empresaId, tipo: 'clipes', times: rows.map(({ recebido_em }) => recebido_em) }, now)
    return files
  })

/** Removes the strips of clips that are not stored, except of preserved events, and lists the files for deletion. */
export const takeStrips = (db: Database, { ids, now }: Chosen): Promise<string[]> =>
  transact(db, async (tx) => {
    const { gone } = await lockUnheldClipes(tx, ids, now)
    if (gone.length === 0) return []
    const rows = await tx
      .updateTable('clipes')
      .set((eb) => ({ tamanho: eb.ref('tamanho') }))
      .where('id', 'in', gone)
      .where('estado', '<>', 'guardado')
      .returning(['id', 'tira'])
      .execute()
    if (rows.length === 0) return []
    const files = rows.flatMap(({ tira }) => tira ?? [])
    const unstored = rows.map(({ id }) => id)
    await tx.updateTable('clipes').set({ tira: null }).where('id', 'in', unstored).execute()
    await listForDeletion(tx, files)
    return files
  })

/** Removes the H.264 copies of these clips, which are made again on request, and lists the files for deletion. */
export const takeCopies = (db: Database, { ids }: Chosen): Promise<string[]> =>
  transact(db, async (tx) => {
    const rows = await tx
      .updateTable('clipes')
      .set({ copia_em: null, copia_tamanho: null, copia_sha256: null })
      .where('id', 'in', ids)
      .where('copia_sha256', 'is not', null)
      .returning('caminho')
      .execute()
    const files = rows.map(({ caminho }) => copyPath(caminho))
    await listForDeletion(tx, files)
    return files
  })
