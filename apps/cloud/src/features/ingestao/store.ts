import type { Insertable } from 'kysely'
import type { Database } from '../../db/open.ts'
import type { Tables } from '../../db/tables.ts'
import { moveCounts } from '../eventos/count-store.ts'
import { advanceSequence, carveGap, type Interval } from './sequence.ts'

/** Whether an edge may send records: it exists and has been activated. */
export async function isActivatedEdge(db: Database, edgeId: number): Promise<boolean> {
  const edge = await db.selectFrom('edges').select('ativado_em').where('id', '=', edgeId).executeTakeFirst()
  return edge !== undefined && edge.ativado_em !== null
}

/** What an event keeps of its camera; undefined unless the camera belongs to that edge. */
export const findCameraOfEdge = (db: Database, cameraId: number, edgeId: number) =>
  db
    .selectFrom('cameras')
    .select(['id', 'empresa_id', 'nome', 'instrucoes_json'])
    .where('id', '=', cameraId)
    .where('edge_id', '=', edgeId)
    .executeTakeFirst()

/** The edge that sent the event or the gap known under `uuid`; undefined when it is new. */
export async function findSender(db: Database, tabela: 'eventos' | 'lacunas', uuid: string) {
  const row = await db.selectFrom(tabela).select('edge_id').where('uuid', '=', uuid).executeTakeFirst()
  return row?.edge_id
}

/**
 * One transaction: event, counts, sequence, gaps, and its line in the alert log. False when the uuid is there already and
 * nothing was written.
 */
export const insertEvent = (db: Database, event: Insertable<Tables['eventos']>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('eventos')
      .values(event)
      .onConflict((conflict) => conflict.column('uuid').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return false
    await moveCounts(tx, { ...event, id: row.id }, null, { situacao: 'pendente', rotulo: null })
    await recordArrival(
      tx,
      event.edge_id,
      event.camera_id,
      { de: event.seq, ate: event.seq, eventId: row.id },
      event.recebido_em,
    )
    await tx.insertInto('alertas').values({ evento_id: row.id, tipo: 'evento', criado_em: event.recebido_em }).execute()
    return true
  })

/** One transaction: what the edge says that it dropped. False when that record is there already. */
export const insertGap = (
  db: Database,
  gap: Insertable<Tables['lacunas']> & { readonly uuid: string },
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('lacunas')
      .values(gap)
      .onConflict((conflict) => conflict.column('uuid').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return false
    await recordArrival(tx, gap.edge_id, gap.camera_id, { de: gap.de_seq, ate: gap.ate_seq }, gap.registrada_em)
    return true
  })

/** `eventId`: the row that was just written for it. */
interface Arrival extends Interval {
  readonly eventId?: number
}

/** Moves the camera's sequence on, records a jump as a gap, and takes what came late out of the gap it had left. */
async function recordArrival(tx: Database, edgeId: number, cameraId: number, arrived: Arrival, agora: number) {
  const step = advanceSequence(await lastSequence(tx, edgeId, cameraId, arrived), arrived)
  const key = { edge_id: edgeId, camera_id: cameraId }
  await tx
    .insertInto('sequencias')
    .values({ ...key, ultimo_seq: step.ultimo })
    .onConflict((conflict) => conflict.columns(['edge_id', 'camera_id']).doUpdateSet({ ultimo_seq: step.ultimo }))
    .execute()
  if (step.salto) await insertJump(tx, edgeId, cameraId, step.salto, agora)
  if (step.atrasado) await fillJumps(tx, edgeId, cameraId, arrived)
}

/**
 * The highest number so far, 0 for a camera of which nothing ever came. An activation forgets the numbers (a new box
 * counts from 1, a box with its old disk goes on counting): then the first one to arrive says where it stands.
 */
async function lastSequence(tx: Database, edgeId: number, cameraId: number, arrived: Arrival): Promise<number> {
  const row = await tx
    .selectFrom('sequencias')
    .select('ultimo_seq')
    .where('edge_id', '=', edgeId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  if (row) return row.ultimo_seq
  const earlier = await tx
    .selectFrom('eventos')
    .select('id')
    .where('camera_id', '=', cameraId)
    .where('edge_id', '=', edgeId)
    .where('id', '!=', arrived.eventId ?? 0)
    .limit(1)
    .executeTakeFirst()
  return earlier ? arrived.de - 1 : 0
}

const insertJump = (tx: Database, edgeId: number, cameraId: number, { de, ate }: Interval, agora: number) =>
  tx
    .insertInto('lacunas')
    .values({
      uuid: null,
      edge_id: edgeId,
      camera_id: cameraId,
      de_seq: de,
      ate_seq: ate,
      ocorrido_de: null,
      ocorrido_ate: null,
      motivo: 'salto_de_sequencia',
      registrada_em: agora,
    })
    .execute()

async function fillJumps(tx: Database, edgeId: number, cameraId: number, arrived: Interval): Promise<void> {
  const jumps = await tx
    .selectFrom('lacunas')
    .select(['id', 'de_seq', 'ate_seq', 'registrada_em'])
    .where('edge_id', '=', edgeId)
    .where('camera_id', '=', cameraId)
    .where('motivo', '=', 'salto_de_sequencia')
    .where('de_seq', '<=', arrived.ate)
    .where('ate_seq', '>=', arrived.de)
    .execute()
  for (const jump of jumps) {
    await tx.deleteFrom('lacunas').where('id', '=', jump.id).execute()
    for (const rest of carveGap({ de: jump.de_seq, ate: jump.ate_seq }, arrived))
      await insertJump(tx, edgeId, cameraId, rest, jump.registrada_em)
  }
}
