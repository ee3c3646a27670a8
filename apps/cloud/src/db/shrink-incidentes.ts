import { type AlertLine, changeIncidente, shapeOf, situacaoOf } from './incidentes.ts'
import type { Database } from './open.ts'
import type { EventoRow } from './rows.ts'

/**
 * Counts the other events of the locked incidentes of deleted events. An incidente without others is to be deleted.
 * @returns ids of those, and the lines of the alert log about the changed ones, which the caller writes last
 */
export async function shrinkIncidentes(
  tx: Database,
  gone: readonly Pick<EventoRow, 'incidente_id'>[],
  now: number,
): Promise<{ readonly emptied: number[]; readonly lines: readonly AlertLine[] }> {
  const ids = [...new Set(gone.flatMap(({ incidente_id }) => incidente_id ?? []))]
  if (ids.length === 0) return { emptied: [], lines: [] }
  const left = await tx
    .selectFrom('eventos')
    .select(['incidente_id', 'veredito_decisao'])
    .select(({ fn }) => [
      fn.countAll<number>().as('n'),
      fn.count<number>('revisao_rotulo').as('revisados'),
      fn.min('id').as('menor'),
      fn.max('ocorrido_em').as('fim'),
      fn.min('ocorrido_em').as('inicio'),
    ])
    .where('incidente_id', 'in', ids)
    .groupBy(['incidente_id', 'veredito_decisao'])
    .execute()
  const kept = new Set(left.map(({ incidente_id }) => Number(incidente_id)))
  const lines: AlertLine[] = []
  for (const id of ids.filter((each) => kept.has(each)).toSorted((a, b) => a - b)) {
    const rows = left.filter(({ incidente_id }) => Number(incidente_id) === id)
    const sum = (decisao: EventoRow['veredito_decisao'] | undefined) =>
      rows
        .filter(({ veredito_decisao }) => decisao === undefined || veredito_decisao === decisao)
        .reduce((total, { n }) => total + Number(n), 0)
    const counts = {
      eventos: sum(undefined),
      pendentes: sum(null),
      confirmados: sum('confirmado'),
      refutados: sum('refutado'),
      revisados: rows.reduce((total, { revisados }) => total + Number(revisados), 0),
    }
    const row = await tx.selectFrom('incidentes').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) continue
    // Refuted events only: the incidente keeps its values, with one of them as its cover.
    const shape = (await shapeOf(tx, id)) ?? {
      capa_evento_id: Math.min(...rows.map(({ menor }) => Number(menor))),
      inicio: Math.min(...rows.map(({ inicio }) => Number(inicio))),
      fim: Math.max(...rows.map(({ fim }) => Number(fim))),
    }
    lines.push(await changeIncidente(tx, row, { ...counts, situacao: situacaoOf(counts), ...shape }, now))
  }
  return { emptied: ids.filter((id) => !kept.has(id)), lines }
}
