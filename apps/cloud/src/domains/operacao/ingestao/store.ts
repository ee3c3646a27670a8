import { MAX_BATCH_ITEMS } from '@vigia/link/batch'
import type { Insertable, Selectable } from 'kysely'
import { countRecords, recordBytes } from '../../../db/media-bytes.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import type { Counted } from './camera-sequences.ts'
import type { CameraOfEvento } from './candidate-row.ts'
import { MAX_GAPS, mergeOldGaps } from './lacunas-store.ts'
import type { BatchPlan, Known } from './plan-batch.ts'
import { type ReadBatch, type Span, spanOf } from './read-batch.ts'
import type { Lacuna } from './sequence.ts'

/** Reads the stored state that a batch is planned on, except the counter of ids. */
export async function readKnown(db: Database, edgeId: number, { itens }: ReadBatch): Promise<Omit<Known, 'ultimoId'>> {
  const slots = itens.flatMap((item) => (item.ok ? spanOf(item) : (item.span ?? [])))
  const cameraIds = [...new Set(slots.map(({ camera_id }) => camera_id))]
  const uuids = itens.flatMap((item) => (item.ok ? item.registro.id.toLowerCase() : []))
  const edge = await db
    .selectFrom('edges')
    .select(['id', 'ativado_em', 'empresa_id', 'local'])
    .where('id', '=', edgeId)
    .executeTakeFirst()
  const ativado = edge !== undefined && edge.ativado_em !== null
  if (!ativado || slots.length === 0)
    return { ativado, cameras: new Map(), remetentes: new Map(), sequencias: new Map() }

  const cameras = await db
    .selectFrom('cameras')
    .select(['id', 'empresa_id', 'edge_id', 'nome', 'instrucoes_json'])
    .where('id', 'in', cameraIds)
    .execute()
  const remetentes = new Map<string, number>()
  // A uuid is unique across these tables.
  for (const tabela of ['eventos', 'lacunas', 'registros_passagem'] as const)
    for (const { uuid, edge_id } of await db
      .selectFrom(tabela)
      .select(['uuid', 'edge_id'])
      .where('uuid', 'in', uuids)
      .execute())
      remetentes.set(uuid ?? '', edge_id)
  return {
    ativado,
    // Includes cameras that moved to another edge: their earlier events may still wait on this one.
    cameras: new Map(
      cameras
        .filter((camera) => camera.edge_id === edgeId || edge.local === 1 || camera.empresa_id === edge.empresa_id)
        .map((camera): [number, CameraOfEvento] => [camera.id, camera]),
    ),
    remetentes,
    sequencias: await readSequences(db, edgeId, slots),
  }
}

async function readSequences(db: Database, edgeId: number, slots: readonly Span[]) {
  const cameraIds = [...new Set(slots.map(({ camera_id }) => camera_id))]
  const rows = await db
    .selectFrom('sequencias')
    .select(['camera_id', 'ultimo_seq', 'serie'])
    .where('edge_id', '=', edgeId)
    .where('camera_id', 'in', cameraIds)
    .execute()
  const gaps = await db
    .selectFrom('lacunas')
    .selectAll()
    .where('edge_id', '=', edgeId)
    .where('camera_id', 'in', cameraIds)
    .where('motivo', '=', 'a_caminho')
    .orderBy('id')
    .execute()
  for (const cameraId of cameraIds) {
    const numbers = slots.flatMap(({ camera_id, de }) => (camera_id === cameraId ? [de] : []))
    gaps.push(...(await readJumps(db, edgeId, cameraId, Math.min(...numbers))))
  }
  const ofCamera = Map.groupBy(gaps, ({ camera_id }) => camera_id)
  return new Map(
    rows.map(({ camera_id, ultimo_seq, serie }): [number, Counted] => [
      camera_id,
      { ultimo: ultimo_seq, serie, lacunas: (ofCamera.get(camera_id) ?? []).map(gapOf) },
    ]),
  )
}

/** Reads the jumps from the one that may contain `lowest` on. */
function readJumps(db: Database, edgeId: number, cameraId: number, lowest: number) {
  const jumps = db
    .selectFrom('lacunas')
    .where('edge_id', '=', edgeId)
    .where('camera_id', '=', cameraId)
    .where('motivo', '=', 'salto_de_sequencia')
    .where('faltam', 'is', null)
  const first = jumps.where('de_seq', '<=', lowest).select((eb) => eb.fn.max('de_seq').as('de'))
  return jumps
    .selectAll()
    .where('de_seq', '>=', (eb) => eb.fn.coalesce(first, eb.lit(0)))
    .orderBy('de_seq')
    .limit(MAX_GAPS + MAX_BATCH_ITEMS)
    .execute()
}

const gapOf = (row: Selectable<Tables['lacunas']>): Lacuna => ({
  id: row.id,
  de: row.de_seq,
  ate: row.ate_seq,
  motivo: row.motivo,
  reservado: row.id_reservado,
  uuid: row.uuid,
  ocorridoDe: row.ocorrido_de,
  ocorridoAte: row.ocorrido_ate,
  registradaEm: row.registrada_em,
})

export async function insertEventos(tx: Database, rows: readonly Insertable<Tables['eventos']>[]): Promise<void> {
  const counted = rows.map((row) => ({ ...row, linha_bytes: recordBytes(row) }))
  await tx.insertInto('eventos').values(counted).execute()
  countRecords(
    tx,
    counted.map(({ empresa_id, linha_bytes }) => ({ empresaId: empresa_id, bytes: linha_bytes })),
  )
}

export async function saveSequences(tx: Database, edgeId: number, sequences: BatchPlan['sequencias']): Promise<void> {
  const rows = [...sequences].map(([camera_id, { ultimo, serie }]) => ({
    edge_id: edgeId,
    camera_id,
    ultimo_seq: ultimo,
    serie,
  }))
  if (rows.length === 0) return
  await tx
    .insertInto('sequencias')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['edge_id', 'camera_id']).doUpdateSet((eb) => ({
        ultimo_seq: eb.ref('excluded.ultimo_seq'),
        serie: eb.ref('excluded.serie'),
      })),
    )
    .execute()
}

/** Changed gaps are new objects; their rows are replaced under the same id. */
export async function saveGaps(
  tx: Database,
  edgeId: number,
  before: readonly Lacuna[],
  sequences: BatchPlan['sequencias'],
) {
  const after = [...sequences].flatMap(([cameraId, { lacunas }]) => lacunas.map((gap) => ({ cameraId, gap })))
  const kept = new Set(after.map(({ gap }) => gap))
  const stale = before.flatMap((gap) => (gap.id === null || kept.has(gap) ? [] : [gap.id]))
  if (stale.length > 0) await tx.deleteFrom('lacunas').where('id', 'in', stale).execute()
  const known = new Set(before)
  const fresh = after.filter(({ gap }) => !known.has(gap))
  for (const some of [fresh.filter(({ gap }) => gap.id !== null), fresh.filter(({ gap }) => gap.id === null)])
    for (let i = 0; i < some.length; i += ROWS_AT_ONCE)
      await tx
        .insertInto('lacunas')
        .values(some.slice(i, i + ROWS_AT_ONCE).map(({ cameraId, gap }) => gapRow(edgeId, cameraId, gap)))
        .execute()
  for (const [cameraId, gaps] of Map.groupBy(fresh, (each) => each.cameraId))
    for (const motivo of new Set(gaps.map(({ gap }) => gap.motivo)))
      await mergeOldGaps(tx, { edgeId, cameraId, motivo })
}

/** An SQLite statement accepts 32,766 values; a new outbox may change the expected numbers of many cameras at once. */
const ROWS_AT_ONCE = 1_000

const gapRow = (edgeId: number, cameraId: number, gap: Lacuna): Insertable<Tables['lacunas']> => ({
  ...(gap.id !== null && { id: gap.id }),
  uuid: gap.uuid,
  edge_id: edgeId,
  camera_id: cameraId,
  de_seq: gap.de,
  ate_seq: gap.ate,
  ocorrido_de: gap.ocorridoDe,
  ocorrido_ate: gap.ocorridoAte,
  motivo: gap.motivo,
  registrada_em: gap.registradaEm,
  id_reservado: gap.reservado,
})

/** Whether the edge exists and is activated. */
export async function isActivatedEdge(db: Database, edgeId: number): Promise<boolean> {
  const edge = await db.selectFrom('edges').select('ativado_em').where('id', '=', edgeId).executeTakeFirst()
  return edge !== undefined && edge.ativado_em !== null
}
