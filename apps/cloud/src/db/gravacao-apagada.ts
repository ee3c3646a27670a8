import { gravacaoApagadaSchema, MAX_GRAVACAO_APAGADA, type TrechoApagado } from '@vigia/contracts/gravacao-continua'
import { raiseDesiredVersion } from './desired-version.ts'
import { lockCameraOnEdge } from './locks.ts'
import type { Database } from './open.ts'

/** Deleted parts of a stored column; those of the oldest deletions may be joined. */
export const readGravacaoApagada = (json: string): TrechoApagado[] => gravacaoApagadaSchema.parse(JSON.parse(json))

/**
 * Orders the edges of an Empresa to delete their continuous recordings of a period, within the caller's transaction.
 * The order is part of the desired state, so that an edge without a link follows it later.
 * @param cameras null: all cameras of the Empresa
 * @returns the edges with a new desired state; publish it after the commit
 */
export async function eraseRecordings(
  tx: Database,
  { empresaId, cameras, inicio, fim }: PeriodOfCameras,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('cameras')
    .select('id')
    .where('empresa_id', '=', empresaId)
    .where('gravacao_continua', '=', 1)
    .$if(cameras !== null, (qb) => qb.where('id', 'in', [...(cameras ?? [])]))
    .orderBy('id')
    .execute()
  const edges = new Set<number>()
  for (const { id } of rows) {
    await lockCameraOnEdge(tx, id)
    const { gravacao_apagada_json, edge_id } = await tx
      .selectFrom('cameras')
      .select(['gravacao_apagada_json', 'edge_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const apagada = joined([...readGravacaoApagada(gravacao_apagada_json), { de: inicio, ate: fim }])
    await tx
      .updateTable('cameras')
      .set({ gravacao_apagada_json: JSON.stringify(apagada) })
      .where('id', '=', id)
      .execute()
    if (edge_id !== null) edges.add(edge_id)
  }
  for (const id of edges) await raiseDesiredVersion(tx, id)
  return [...edges]
}

interface PeriodOfCameras {
  readonly empresaId: number
  readonly cameras: readonly number[] | null
  /** Epoch ms. */
  readonly inicio: number
  readonly fim: number
}

/** Joins the two oldest parts above the limit: a part in between is deleted too. */
function joined(parts: readonly TrechoApagado[]): TrechoApagado[] {
  const [first, second, ...rest] = parts
  if (parts.length <= MAX_GRAVACAO_APAGADA || !first || !second) return [...parts]
  return [{ de: Math.min(first.de, second.de), ate: Math.max(first.ate, second.ate) }, ...rest]
}
