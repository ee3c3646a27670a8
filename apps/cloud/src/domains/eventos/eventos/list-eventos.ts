import type { Evento, EventosQuery } from '@vigia/contracts/eventos'
import { findEvents } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import { classesOf } from '../../../db/verdict-class.ts'
import type { Caller } from '../../../http/caller.ts'
import { readCursor, writeCursor } from '../../../http/page-cursor.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countEvents, countProvas, listProvaIds } from './count-store.ts'
import type { EventoFilter } from './filter-store.ts'
import { listIds } from './list-store.ts'
import { viewFor } from './mask-plates.ts'
import { viewEvento } from './view-evento.ts'

export interface EventoPage {
  readonly eventos: Evento[]
  /** Number on all pages together. */
  readonly total: number
  /** Cursor of the next page; null on the last. */
  readonly proximo: string | null
}

/**
 * Returns one page of the events in scope, newest first by storage. For each camera this is the order of occurrence,
 * independently of the edge's clock. The cursor names the last event of a page, so that new events do not shift pages.
 */
export async function listVisibleEvents(
  { db }: { readonly db: Database },
  caller: Caller,
  query: EventosQuery,
): Promise<EventoPage> {
  const before = query.cursor === undefined ? null : readCursor(query.cursor)
  const period = readPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const situacao = classesOf(query)
  if (empresas?.length === 0 || situacao?.length === 0) return { eventos: [], total: 0, proximo: null }
  const filter: EventoFilter = {
    empresas,
    cameraId: query.camera_id,
    tipo: query.tipo,
    gravidade: query.gravidade,
    situacao,
    ...period,
  }
  // Reads one more than requested, to detect a next page.
  const page = { before, limit: query.limit + 1, offset: query.offset }
  const { ids, total } = await readIds(db, filter, query.prova, page)
  const shown = ids.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    eventos: last === undefined ? [] : (await findEvents(db, shown)).map((row) => viewFor(caller, viewEvento(row))),
    total,
    proximo: last !== undefined && ids.length > query.limit ? writeCursor(last) : null,
  }
}

/** Ids of one page, and their number on all pages, by whether the events are of walk tests. */
async function readIds(
  db: Database,
  filter: EventoFilter,
  prova: EventosQuery['prova'],
  page: Parameters<typeof listIds>[3],
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  if (prova === 'true') return { ids: await listProvaIds(db, filter, page), total: await countProvas(db, filter) }
  const counts = await countEvents(db, filter)
  if (prova === undefined) return { ids: await listIds(db, filter, counts, page), total: counts.total }
  const without = { ...filter, semProvas: true }
  return { ids: await listIds(db, without, counts, page), total: counts.total - (await countProvas(db, filter)) }
}
