import type { Insertable } from 'kysely'
import { type IncidenteRow, locking } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow, NewEvento } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import { MAX_SPAN_MS } from './place-evento.ts'

/** The event that stands for an incidente. */
type Cover = Pick<EventoRow, 'id' | 'tipo' | 'gravidade' | 'ocorrido_em' | 'detalhes_json'>

/** Incidentes that may take some new events, locked, with those of the events' tracks that each one holds. */
export interface Reachable {
  readonly rows: readonly IncidenteRow[]
  /** By its id. */
  readonly capas: ReadonlyMap<number, Cover>
  /** By id of the incidente. */
  readonly trilhas: ReadonlyMap<number, ReadonlySet<string>>
}

/**
 * Locks and reads the incidentes that may take `events`. Only ingest transactions open incidentes, one at a time (the
 * counter of event ids), so that no other one opens here meanwhile.
 */
export async function lockReachable(tx: Database, events: readonly NewEvento[]): Promise<Reachable> {
  const trilhas = await tracksOf(tx, events)
  const spans = [...Map.groupBy(events, ({ camera_id }) => camera_id)].map(([camera, own]) => {
    const times = own.map(({ ocorrido_em }) => ocorrido_em)
    return { camera, de: Math.min(...times) - MAX_SPAN_MS, ate: Math.max(...times) + MAX_SPAN_MS }
  })
  const rows = await locking(tx)
    .where((eb) =>
      eb.or([
        ...spans.map(({ camera, de, ate }) =>
          eb.and([eb('camera_id', '=', camera), eb('inicio', '>=', de), eb('inicio', '<=', ate)]),
        ),
        ...(trilhas.size > 0 ? [eb('id', 'in', [...trilhas.keys()])] : []),
      ]),
    )
    .returningAll()
    .execute()
  return { rows, trilhas, capas: await coversOf(tx, rows) }
}

async function coversOf(tx: Database, rows: readonly IncidenteRow[]): Promise<ReadonlyMap<number, Cover>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ capa_evento_id }) => capa_evento_id)
  const covers = await tx
    .selectFrom('eventos')
    .select(['id', 'tipo', 'gravidade', 'ocorrido_em', 'detalhes_json'])
    .where('id', 'in', ids)
    .execute()
  return new Map(covers.map((cover) => [cover.id, cover]))
}

/** Tracks of `events` that stored events have, by incidente. */
async function tracksOf(tx: Database, events: readonly NewEvento[]): Promise<Map<number, Set<string>>> {
  const tracked = events.filter(({ trilha }) => trilha != null)
  const found = new Map<number, Set<string>>()
  if (tracked.length === 0) return found
  const rows = await tx
    .selectFrom('eventos')
    .select(['trilha', 'incidente_id'])
    .distinct()
    .where('camera_id', 'in', [...new Set(tracked.map(({ camera_id }) => camera_id))])
    .where('trilha', 'in', [...new Set(tracked.map(({ trilha }) => trilha ?? ''))])
    .where('incidente_id', 'is not', null)
    .execute()
  for (const { trilha, incidente_id } of rows) {
    const own = found.get(incidente_id ?? 0) ?? new Set()
    found.set(incidente_id ?? 0, own.add(trilha ?? ''))
  }
  return found
}

export type NewIncidente = Omit<Insertable<Tables['incidentes']>, 'id'>

/** Inserts incidentes with different covers; returns their ids by cover. */
export async function insertIncidentes(
  tx: Database,
  incidentes: readonly NewIncidente[],
): Promise<ReadonlyMap<number, number>> {
  if (incidentes.length === 0) return new Map()
  const rows = await tx.insertInto('incidentes').values(incidentes).returning(['id', 'capa_evento_id']).execute()
  return new Map(rows.map(({ id, capa_evento_id }) => [capa_evento_id, id]))
}

/** Columns that a new event may change. */
export type Grown = Pick<
  IncidenteRow,
  | 'inicio'
  | 'fim'
  | 'gravidade'
  | 'tipos'
  | 'situacao'
  | 'capa_evento_id'
  | 'eventos'
  | 'pendentes'
  | 'versao'
  | 'anunciado_em'
  | 'hora_de'
  | 'hora_ate'
>

export const saveGrown = async (tx: Database, id: number, grown: Grown): Promise<void> => {
  await tx.updateTable('incidentes').set(grown).where('id', '=', id).execute()
}
