import type { Descartado } from '@vigia/contracts/extras'
import type { DescartadoRow } from '../../../db/descartados.ts'
import type { Database } from '../../../db/open.ts'

/** The state that discarded candidates are planned on. */
export interface KnownDescartados {
  /** Empresa of each camera of the edge. */
  readonly empresas: ReadonlyMap<number, number>
  /** Stored ones, lower case. */
  readonly uuids: ReadonlySet<string>
  /** Arrivals of each camera within the last hour. */
  readonly naHora: ReadonlyMap<number, number>
}

const HOUR_MS = 3_600_000

/** Called in the transaction that holds the lock of the edge, so that the counts stay true. */
export async function readDescartados(
  db: Database,
  descartados: readonly Descartado[],
  { edgeId, now }: { readonly edgeId: number; readonly now: number },
): Promise<KnownDescartados> {
  if (descartados.length === 0) return { empresas: new Map(), uuids: new Set(), naHora: new Map() }
  const ids = [...new Set(descartados.map(({ camera_id }) => camera_id))]
  const uuids = descartados.map(({ id }) => id.toLowerCase())
  const cameras = await db
    .selectFrom('cameras')
    .select(['id', 'empresa_id'])
    .where('edge_id', '=', edgeId)
    .where('id', 'in', ids)
    .execute()
  const stored = await db.selectFrom('descartados').select('uuid').where('uuid', 'in', uuids).execute()
  const counts = await db
    .selectFrom('descartados')
    .select('camera_id')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('camera_id', 'in', ids)
    .where('recebido_em', '>', now - HOUR_MS)
    .groupBy('camera_id')
    .execute()
  return {
    empresas: new Map(cameras.map(({ id, empresa_id }) => [id, empresa_id])),
    uuids: new Set(stored.map(({ uuid }) => uuid)),
    naHora: new Map(counts.map(({ camera_id, n }) => [camera_id, Number(n)])),
  }
}

export async function insertDescartados(tx: Database, rows: readonly Omit<DescartadoRow, 'id'>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('descartados').values(rows).execute()
}
