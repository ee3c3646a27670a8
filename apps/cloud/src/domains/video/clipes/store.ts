import type { MotivoSemClipe } from '@vigia/contracts/extras'
import { type ClipeRow, wakeOrders } from '../../../db/clipes.ts'
import { rootOf } from '../../../db/empresas.ts'
import { lockChosen } from '../../../db/locks.ts'
import { countMediaWithinLimits } from '../../../db/media-bytes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, deferWork, extendLease, finishWork } from '../../../db/work-queue/queue.ts'
import { spendCredentials } from '../../locais/public.ts'

/** The edge and the Empresa of one order item. */
export interface OrderPlace {
  readonly edgeId: number
  readonly empresaId: number
}

export const findClipe = (db: Database, uuid: string): Promise<ClipeRow | undefined> =>
  db.selectFrom('clipes').selectAll().where('uuid', '=', uuid).executeTakeFirst()

/** The root Empresa of an edge; 0: the edge was removed. */
export async function findUploadRoot(db: Database, edgeId: number): Promise<number> {
  const edge = await db.selectFrom('edges').select('empresa_id').where('id', '=', edgeId).executeTakeFirst()
  return edge?.empresa_id ? rootOf(db, edge.empresa_id) : 0
}

/** Clips that wait for an order, most wanted first, newest first. `before`: orders up to that time are over. */
export const listWanted = (
  db: Database,
  { edgeId, empresaId }: OrderPlace,
  { before, limit }: { readonly before: number; readonly limit: number },
) =>
  db
    .selectFrom('clipes')
    .select(['id', 'uuid'])
    .where('edge_id', '=', edgeId)
    .where('empresa_id', '=', empresaId)
    .where('desejado', '>', 0)
    .where((eb) =>
      eb.or([
        eb('estado', '=', 'na_caixa'),
        eb.and([eb('estado', '=', 'pedido'), eb.or([eb('pedido_em', '<=', before), eb('pedido_em', 'is', null)])]),
      ]),
    )
    .orderBy('desejado', 'desc')
    .orderBy('inicio', 'desc')
    .limit(limit)
    .execute()

/** Times of the orders since `after` whose upload has not ended, oldest first. */
export async function listOrdered(db: Database, { edgeId, empresaId }: OrderPlace, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('clipes')
    .select('pedido_em')
    .where('edge_id', '=', edgeId)
    .where('empresa_id', '=', empresaId)
    .where('estado', '=', 'pedido')
    .where('pedido_em', '>', after)
    .orderBy('pedido_em')
    .execute()
  return rows.map(({ pedido_em }) => pedido_em ?? 0)
}

/** Marks a clip as ordered. false: it was deleted, stored or lost meanwhile. */
export async function markOrdered(tx: Database, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('clipes')
    .set({ estado: 'pedido', pedido_em: now })
    .where('id', '=', id)
    .where('estado', 'in', ['na_caixa', 'pedido'])
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The edge did not take the order. An upload that began anyway may end. */
export const takeBackOrder = async (db: Database, id: number): Promise<void> => {
  await db
    .updateTable('clipes')
    .set({ estado: 'na_caixa' })
    .where('id', '=', id)
    .where('estado', '=', 'pedido')
    .execute()
}

export const markLost = async (db: Database, id: number, motivo: MotivoSemClipe): Promise<void> => {
  await db
    .updateTable('clipes')
    .set({ estado: 'perdido', motivo })
    .where('id', '=', id)
    .where('estado', 'in', ['na_caixa', 'pedido'])
    .execute()
}

/**
 * Ends the claim of an order item: removes the item if nothing is wanted, else defers it to `due`. The item is locked
 * before the last check, so that a clip that is wanted meanwhile is seen here or wakes the item afterwards.
 */
export async function endOrder(
  tx: Database,
  claim: Claim,
  due: (tx: Database) => Promise<number | null>,
  now: number,
): Promise<void> {
  if (!(await extendLease(tx, claim, now))) return
  const at = await due(tx)
  if (at === null) await finishWork(tx, claim)
  else await deferWork(tx, claim, at)
}

/**
 * Lists the file for deletion before it is written, so that a crash leaves no file without a row. Returns false if the
 * clip is already stored: its file must not be listed.
 */
export const announceFile = (db: Database, { uuid, caminho }: ClipeRow): Promise<boolean> =>
  transact(db, async (tx) => {
    const stored = await tx
      .updateTable('clipes')
      .set((eb) => ({ tamanho: eb.ref('tamanho') }))
      .where('uuid', '=', uuid)
      .where('estado', '=', 'guardado')
      .executeTakeFirstOrThrow()
    if (stored.numUpdatedRows > 0n) return false
    await tx
      .insertInto('midias_a_apagar')
      .values({ caminho, apagando: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return true
  })

/**
 * Records the written file of a clip, ends its credential and makes the next order due, in one transaction. Returns
 * false if the clip was deleted, or its file was given up, meanwhile: the caller deletes the file.
 * @throws NoMediaSpace
 */
export const saveStored = (db: Database, { uuid, caminho, tamanho }: ClipeRow, now: number): Promise<boolean> =>
  transact(db, async (tx) => {
    const members = await lockChosen(
      tx,
      tx
        .selectFrom('clipes_eventos')
        .innerJoin('clipes', 'clipes.id', 'clipes_eventos.clipe_id')
        .select('evento_id')
        .where('uuid', '=', uuid)
        .orderBy('evento_id'),
    ).execute()
    for (const { evento_id } of members)
      await tx.updateTable('eventos').set({ clipe_em: now }).where('id', '=', evento_id).execute()
    const { numDeletedRows } = await tx
      .deleteFrom('midias_a_apagar')
      .where('caminho', '=', caminho)
      .where('apagando', '=', 0)
      .executeTakeFirstOrThrow()
    const row = await tx
      .updateTable('clipes')
      .set({ estado: 'guardado', motivo: null, guardado_em: now })
      .where('uuid', '=', uuid)
      .where('estado', '<>', 'guardado')
      .returning(['edge_id', 'empresa_id'])
      .executeTakeFirst()
    if (!row) return false
    if (numDeletedRows === 0n) throw new Error('the file of the clip was given up during its upload')
    await spendCredentials(tx, { edgeId: row.edge_id, finalidade: 'clipe', alvo: uuid }, now)
    await wakeOrders(tx, row, now)
    await countMediaWithinLimits(tx, [{ path: caminho, empresaId: row.empresa_id, bytes: tamanho }])
    return true
  })

/** Which of these clips still wait for their upload. */
export async function listAwaited(db: Database, uuids: readonly string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await db
    .selectFrom('clipes')
    .select('uuid')
    .where('uuid', 'in', uuids)
    .where('estado', 'in', ['na_caixa', 'pedido'])
    .execute()
  return new Set(rows.map(({ uuid }) => uuid))
}

/** Locks the row of an event until the transaction ends. Must be the first statement of its transaction. */
export const lockEvento = async (tx: Database, id: number): Promise<void> => {
  await tx.updateTable('eventos').set({ id }).where('id', '=', id).execute()
}

/** Whether a stored or expected file is the clip of an event, and not only a gravação. */
export async function isClipeOfEvento(db: Database, clipeId: number): Promise<boolean> {
  const row = await db
    .selectFrom('clipes_eventos')
    .select('evento_id')
    .where('clipe_id', '=', clipeId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
