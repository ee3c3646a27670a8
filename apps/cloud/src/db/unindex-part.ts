import type { Database } from './open.ts'
import type { EventoRow } from './rows.ts'
import { unindex } from './search-index.ts'
import { answerTerms, eventTerms } from './search-words.ts'

/**
 * Removes the words of deleted events from the incidentes that other events keep, unless these or an answer have them.
 * @param emptied incidentes that were deleted
 */
export async function unindexPart(
  tx: Database,
  empresaId: number,
  gone: readonly EventoRow[],
  emptied: ReadonlySet<number>,
): Promise<void> {
  for (const [id, rows] of Map.groupBy(gone, ({ incidente_id }) => incidente_id)) {
    if (id === null || emptied.has(id)) continue
    const others = await tx
      .selectFrom('eventos')
      .select(['camera_id', 'camera_nome', 'tipo', 'rotulos_json', 'detalhes_json'])
      .where('incidente_id', '=', id)
      .execute()
    const answers = await tx
      .selectFrom('atendimentos')
      .select(['revisor', 'nota'])
      .where('incidente_id', '=', id)
      .execute()
    const kept = new Set([
      ...others.flatMap(eventTerms),
      ...answers.flatMap(({ revisor, nota }) => answerTerms(revisor, nota)),
    ])
    const terms = rows.flatMap(eventTerms).filter((term) => !kept.has(term))
    await unindex(tx, empresaId, { eventos: [], incidentes: [id], terms })
  }
}
