import { type ClipeRow, copyPath } from '../../../../db/clipes.ts'
import { lockRow } from '../../../../db/locks.ts'
import { countMedia, uncountMedia } from '../../../../db/media-bytes.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import { type Claim, enqueueWork, failWork, finishWork } from '../../../../db/work-queue/queue.ts'

export const findStored = (db: Database, id: number): Promise<ClipeRow | undefined> =>
  db.selectFrom('clipes').selectAll().where('id', '=', id).where('estado', '=', 'guardado').executeTakeFirst()

/** Kinds of work of a copy, and of one that was not ready in time. */
export const FAST = 'copia'
export const SLOW = 'copia_lenta'

const isSlow = async (db: Database, chave: string): Promise<boolean> =>
  (await db
    .selectFrom('trabalhos')
    .select('id')
    .where('tipo', '=', SLOW)
    .where('chave', '=', chave)
    .executeTakeFirst()) !== undefined

/** A second request for the same copy changes nothing. */
export async function enqueueCopy(db: Database, { id, empresa_id }: ClipeRow, now: number): Promise<void> {
  const chave = String(id)
  if (await isSlow(db, chave)) return
  await transact(db, (tx) => enqueueWork(tx, [{ tipo: FAST, chave, empresaId: empresa_id, prioridade: 0 }], now))
}

/** Moves a copy that was not ready in time to the slow ones. A request may have added it again meanwhile. */
export const slowDown = (db: Database, claim: Claim, now: number): Promise<boolean> =>
  transact(db, async (tx) => {
    await lockRow(tx, 'clipes', Number(claim.chave))
    if (await isSlow(tx, claim.chave)) return finishWork(tx, claim)
    return failWork(tx, claim, { erro: LATE, now, tipo: SLOW, next: { estado: 'recuo', em: now } })
  })

const LATE = 'A cópia demora. Ela espera a vez das cópias demoradas.'

/** Lists the copy for deletion before it is written, so that a crash leaves no file without a row. */
export const announceCopy = async (db: Database, { caminho }: ClipeRow): Promise<void> => {
  await db
    .insertInto('midias_a_apagar')
    .values({ caminho: copyPath(caminho), apagando: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Outcome =
  | { readonly copia_tamanho: number; readonly copia_sha256: string }
  | { readonly copia_falha: NonNullable<ClipeRow['copia_falha']> }

/**
 * Ends the work with its outcome. Returns false if the clip was deleted, or its copy was given up, meanwhile: the
 * caller deletes the file.
 */
export const endCopy = (db: Database, claim: Claim, clipe: ClipeRow, outcome: Outcome, now: number): Promise<boolean> =>
  transact(db, async (tx) => {
    const none = { copia_tamanho: null, copia_sha256: null, copia_falha: null }
    // The update also locks the row against the deletion of its events.
    const { numUpdatedRows } = await tx
      .updateTable('clipes')
      .set({ ...none, ...outcome, copia_em: now })
      .where('id', '=', clipe.id)
      .executeTakeFirstOrThrow()
    await finishWork(tx, claim)
    if (numUpdatedRows === 0n || !('copia_sha256' in outcome)) return false
    const { numDeletedRows } = await tx
      .deleteFrom('midias_a_apagar')
      .where('caminho', '=', copyPath(clipe.caminho))
      .where('apagando', '=', 0)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new Error('the copy of the clip was given up')
    const path = copyPath(clipe.caminho)
    // A copy whose file was lost is made again, perhaps with another size.
    await uncountMedia(tx, [path])
    await countMedia(tx, [{ path, empresaId: clipe.empresa_id, bytes: outcome.copia_tamanho }])
    return true
  })

export const endNothing = (db: Database, claim: Claim): Promise<boolean> => transact(db, (tx) => finishWork(tx, claim))
