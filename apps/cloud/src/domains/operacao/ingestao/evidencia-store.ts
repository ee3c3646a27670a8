import type { Evidencia } from '@vigia/contracts/extras'
import type { EvidenciaRow } from '../../../db/evidencias.ts'
import type { Database } from '../../../db/open.ts'

/** An event with further pictures. */
interface EventoOfEvidencia {
  readonly id: number
  readonly uuid: string
  readonly empresa_id: number
  readonly camera_id: number
  readonly edge_id: number
  readonly detalhes_json: string
  readonly crop_path: string | null
  readonly veredito_decisao: 'confirmado' | 'refutado' | null
  readonly veredito_certeza: 'alta' | 'baixa' | null
}

export interface KnownEvidencias {
  /** By uuid, lower case. */
  readonly eventos: ReadonlyMap<string, EventoOfEvidencia>
  /** Event of each stored picture, by uuid. */
  readonly imagens: ReadonlyMap<string, number>
  /** Number of stored pictures of each event. */
  readonly quantas: ReadonlyMap<number, number>
}

const columns = ['id', 'uuid', 'empresa_id', 'camera_id', 'edge_id', 'detalhes_json', 'crop_path'] as const
const verdict = ['veredito_decisao', 'veredito_certeza'] as const

/** Reads the state that extras of this kind are planned on. `lock`: in the transaction that stores them. */
export async function readEvidencias(
  db: Database,
  evidencias: readonly Evidencia[],
  { lock }: { readonly lock: boolean },
): Promise<KnownEvidencias> {
  if (evidencias.length === 0) return { eventos: new Map(), imagens: new Map(), quantas: new Map() }
  const wanted = [...new Set(evidencias.map(({ evento }) => evento.toLowerCase()))]
  if (lock) await lockEventos(db, wanted)
  const eventos = await db
    .selectFrom('eventos')
    .select([...columns, ...verdict])
    .where('uuid', 'in', wanted)
    .execute()
  const uuids = evidencias.map(({ id }) => id.toLowerCase())
  const ids = eventos.map(({ id }) => id)
  const imagens = await db
    .selectFrom('evidencias')
    .select(['uuid', 'evento_id'])
    .where((eb) => eb.or([eb('uuid', 'in', uuids), ...(ids.length > 0 ? [eb('evento_id', 'in', ids)] : [])]))
    .execute()
  const ofEvento = Map.groupBy(imagens, ({ evento_id }) => evento_id)
  return {
    eventos: new Map(eventos.map((row): [string, EventoOfEvidencia] => [row.uuid, row])),
    imagens: new Map(imagens.map(({ uuid, evento_id }) => [uuid, evento_id])),
    quantas: new Map([...ofEvento].map(([id, rows]) => [id, rows.length])),
  }
}

/**
 * Locks the events in the order of their ids until the transaction ends. A removal waits, and then removes these
 * pictures too. A verdict waits, and then enqueues their verification.
 */
async function lockEventos(tx: Database, uuids: readonly string[]): Promise<void> {
  const rows = await tx.selectFrom('eventos').select('id').where('uuid', 'in', uuids).orderBy('id').execute()
  for (const { id } of rows)
    await tx
      .updateTable('eventos')
      .set((eb) => ({ retroativo: eb.ref('retroativo') }))
      .where('id', '=', id)
      .execute()
}

/**
 * Stores pictures of events that `readEvidencias` locked, and adds their bytes to those of the events.
 * @param sizes bytes of each file, by its path
 */
export async function insertEvidencias(
  tx: Database,
  rows: readonly Omit<EvidenciaRow, 'id'>[],
  sizes: ReadonlyMap<string, number>,
): Promise<void> {
  if (rows.length === 0) return
  await tx.insertInto('evidencias').values(rows).execute()
  for (const [id, own] of Map.groupBy(rows, ({ evento_id }) => evento_id)) {
    const bytes = own.reduce((sum, { caminho }) => sum + (sizes.get(caminho) ?? 0), 0)
    // An event that is not weighed yet stays so: the sweep weighs all of its pictures.
    await tx
      .updateTable('eventos')
      .set((eb) => ({ midia_bytes: eb('midia_bytes', '+', bytes) }))
      .where('id', '=', id)
      .execute()
  }
}
