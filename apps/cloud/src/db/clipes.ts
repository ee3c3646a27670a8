import { motivosGravador } from '@vigia/contracts/extras'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'
import { enqueueWork, type NewWork, resumeGroup, wakeWork } from './work-queue/queue.ts'

export type ClipeRow = Selectable<Tables['clipes']>

/** The clip of an event. `clipe` null: the edge has none, for `motivo`. undefined: the edge has said nothing yet. */
export async function findClipeOf(db: Database, eventoId: number) {
  const member = await db.selectFrom('clipes_eventos').selectAll().where('evento_id', '=', eventoId).executeTakeFirst()
  if (!member) return undefined
  const { clipe_id, deslocamento_ms, motivo } = member
  const clipe =
    clipe_id === null
      ? undefined
      : await db.selectFrom('clipes').selectAll().where('id', '=', clipe_id).executeTakeFirst()
  return { clipe: clipe ?? null, deslocamento_ms, motivo }
}
/** An edge announces the clip of an event within this time, also over a slow line. */
const ANNOUNCED_MS = 10 * 60_000

/** Whether the edge may announce a clip of this event yet: an edge of an earlier release never announces one. */
export async function announcesClipes(
  db: Database,
  { edge_id, recebido_em }: { readonly edge_id: number; readonly recebido_em: number },
  now: number,
): Promise<boolean> {
  if (recebido_em > now - ANNOUNCED_MS) return true
  const one = db.selectFrom('clipes').select('id').where('edge_id', '=', edge_id).limit(1)
  return (await one.executeTakeFirst()) !== undefined
}
export type ClipeOfEvento = NonNullable<Awaited<ReturnType<typeof findClipeOf>>>

const clipeId = (eb: ExpressionBuilder<Tables, 'clipes_eventos'>) => eb.ref('clipe_id').$notNull().as('clipe_id')

/** One work item orders the uploads of one Empresa from one edge. */
const orderKey = ({ edge_id, empresa_id }: Pick<ClipeRow, 'edge_id' | 'empresa_id'>): string =>
  `${edge_id}-${empresa_id}`

const groupOf = (edgeId: number): string => `clipes:${edgeId}`

/** Attempts to insert the item that another transaction removes at the same time. */
const WAKE_ATTEMPTS = 5

/** Makes the order of uploads due now, in the transaction that changed the clips. */
export async function wakeOrders(
  tx: Database,
  clipe: Pick<ClipeRow, 'edge_id' | 'empresa_id'>,
  now: number,
): Promise<void> {
  const place = { empresaId: clipe.empresa_id, grupo: groupOf(clipe.edge_id), prioridade: 0 }
  await wakeOrEnqueue(tx, { tipo: 'clipe', chave: orderKey(clipe), ...place }, now)
}

async function wakeOrEnqueue(tx: Database, work: NewWork, now: number): Promise<void> {
  for (let attempt = 0; attempt < WAKE_ATTEMPTS; attempt += 1) {
    if (await wakeWork(tx, work, now)) return
    await enqueueWork(tx, [work], now)
  }
}

/** The verdict or a person says that the event is true. */
export const isConfirmed = (eb: ExpressionBuilder<Tables, 'eventos'>) =>
  eb.or([eb('eventos.veredito_decisao', '=', 'confirmado'), eb('eventos.revisao_rotulo', '=', 'confirmado')])

/**
 * Has the recorder complete confirmed ones of these events that have no clip. Call it in the transaction that has
 * locked the events.
 */
export async function wakeCompletion(tx: Database, eventoIds: readonly number[], now: number): Promise<void> {
  const cameras = await tx
    .selectFrom('clipes_eventos')
    .innerJoin('eventos', 'eventos.id', 'clipes_eventos.evento_id')
    .select(['eventos.camera_id', 'eventos.empresa_id'])
    .distinct()
    .where('evento_id', 'in', eventoIds)
    .where('clipe_id', 'is', null)
    .where('motivo', 'in', motivosGravador)
    .where(isConfirmed)
    .orderBy('eventos.camera_id')
    .execute()
  for (const { camera_id, empresa_id } of cameras) {
    const work = { tipo: 'completar', chave: String(camera_id), empresaId: empresa_id, prioridade: 0 } as const
    await wakeOrEnqueue(tx, work, now)
  }
}

/** Orders wait for an edge that is not connected: they are due when it comes back. */
export const resumeOrders = (tx: Database, edgeId: number, now: number): Promise<void> =>
  resumeGroup(tx, { grupo: groupOf(edgeId) }, 'clipe', now)

/**
 * Wants the upload of the clips of these events. 1: an event was confirmed. 2: a person asked for it. Call it in the
 * transaction that has locked the events.
 */
export async function wantClipes(
  tx: Database,
  eventoIds: readonly number[],
  desejado: 1 | 2,
  now: number,
): Promise<void> {
  if (eventoIds.length === 0) return
  const wanted = await tx
    .updateTable('clipes')
    .set({ desejado })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('clipes_eventos')
        .select(clipeId)
        .where('evento_id', 'in', eventoIds)
        .where('clipe_id', 'is not', null),
    )
    .where('desejado', '<', desejado)
    .where('estado', 'in', ['na_caixa', 'pedido'])
    .returning(['edge_id', 'empresa_id'])
    .execute()
  for (const clipe of wanted) await wakeOrders(tx, clipe, now)
  await wakeCompletion(tx, eventoIds, now)
}

/**
 * Deletes the clips of deleted events that no other event shares. Returns the files, which the caller lists for
 * deletion in the same transaction. A partial upload is removed by the sweep (domains/video/clipes).
 * @param now lists their copies on the edges for deletion; null: the edges leave with the Empresa
 */
export async function takeClipes(tx: Database, eventoIds: readonly number[], now: number | null): Promise<string[]> {
  if (eventoIds.length === 0) return []
  const members = await tx
    .deleteFrom('clipes_eventos')
    .where('evento_id', 'in', eventoIds)
    .returning('clipe_id')
    .execute()
  const ids = [...new Set(members.flatMap(({ clipe_id }) => clipe_id ?? []))].sort((a, b) => a - b)
  return await deleteUnused(tx, ids, now)
}

/**
 * Deletes gravações with their files, except a file that is also the clip of an event. Returns the files as
 * `takeClipes`.
 */
export async function takeGravacoes(
  tx: Database,
  which: { readonly ids: readonly number[] } | { readonly empresaId: number },
  now: number | null,
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('gravacoes')
    .where((eb) => ('ids' in which ? eb('id', 'in', which.ids) : eb('empresa_id', '=', which.empresaId)))
    .returning(['clipe_id', 'uuid', 'edge_id', 'empresa_id', 'estado'])
    .execute()
  const running = rows.filter(({ clipe_id, estado }) => clipe_id === null && estado !== 'falhou')
  if (now !== null) await listDiscards(tx, running, now)
  return await deleteUnused(
    tx,
    rows.flatMap(({ clipe_id }) => clipe_id ?? []),
    now,
  )
}

/** Deletes those of the clips that have neither an event nor a gravação. */
async function deleteUnused(tx: Database, ids: readonly number[], now: number | null): Promise<string[]> {
  if (ids.length === 0) return []
  // The lock of the clip serializes the deletion of its last two owners.
  await tx
    .updateTable('clipes')
    .set((eb) => ({ tamanho: eb.ref('tamanho') }))
    .where('id', 'in', ids)
    .execute()
  const rows = await tx
    .deleteFrom('clipes')
    .where('id', 'in', ids)
    .where('id', 'not in', (eb) => eb.selectFrom('clipes_eventos').select(clipeId).where('clipe_id', 'in', ids))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('gravacoes')
        .select((of) => of.ref('clipe_id').$notNull().as('clipe_id'))
        .where('clipe_id', 'in', ids),
    )
    .returning(['uuid', 'edge_id', 'empresa_id', 'estado', 'guardado_em', 'caminho', 'tira', 'codec'])
    .execute()
  if (now !== null) await discardCopies(tx, rows, now)
  return rows.flatMap(filesOfClipe)
}

/** Path of the H.264 copy of a clip. */
export const copyPath = (caminho: string): string => caminho.replace(/\.mp4$/, '-h264.mp4')

/** Files of a deleted clip. A copy that is being made has no columns yet, so that its path counts too. */
export const filesOfClipe = ({ caminho, tira, codec }: Pick<ClipeRow, 'caminho' | 'tira' | 'codec'>): string[] => [
  caminho,
  ...(tira === null ? [] : [tira]),
  ...(codec === 'h265' ? [copyPath(caminho)] : []),
]

/** An edge deletes clips that nobody requested after this time. */
export const EDGE_KEEP_MS = 48 * 3_600_000

type Copy = Pick<ClipeRow, 'uuid' | 'edge_id' | 'empresa_id'>

/** Lists the copies of deleted clips that their edges may still hold. */
export const discardCopies = (
  tx: Database,
  clipes: readonly (Copy & Pick<ClipeRow, 'estado' | 'guardado_em'>)[],
  now: number,
): Promise<void> =>
  listDiscards(
    tx,
    clipes.filter(
      ({ estado, guardado_em }) => estado !== 'perdido' && (guardado_em === null || guardado_em > now - EDGE_KEEP_MS),
    ),
    now,
  )

/** Has the edges discard the clips of a removed camera that nobody wants. Wanted ones are discarded once stored. */
export async function discardOfCamera(tx: Database, cameraId: number, now: number): Promise<void> {
  const copies = await tx
    .updateTable('clipes')
    .set({ estado: 'perdido', motivo: 'camera_removida' })
    .where('camera_id', '=', cameraId)
    .where('estado', '=', 'na_caixa')
    .where('desejado', '=', 0)
    .returning(['uuid', 'edge_id', 'empresa_id'])
    .execute()
  await listDiscards(tx, copies, now)
}

/** The orders of each edge send the command until it answers (domains/video/clipes/order-uploads.ts). */
async function listDiscards(tx: Database, copies: readonly Copy[], now: number): Promise<void> {
  if (copies.length === 0) return
  await tx
    .insertInto('clipes_a_descartar')
    .values(copies.map(({ uuid, edge_id, empresa_id }) => ({ uuid, edge_id, empresa_id, desde: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const firsts = new Map(copies.map((copy) => [orderKey(copy), copy]))
  for (const [, copy] of [...firsts].sort(([a], [b]) => a.localeCompare(b))) await wakeOrders(tx, copy, now)
}
