import { invalid } from '@vigia/contracts/errors'
import type { Evento, EventosQuery } from '@vigia/contracts/eventos'
import type { Database } from '../../db/open.ts'
import { type Caller, narrowScope } from '../../http/caller.ts'
import { countEvents, type EventFilter, listEvents } from './store.ts'
import { viewEvent } from './view-event.ts'

export interface EventPage {
  readonly eventos: Evento[]
  /** Of all pages. */
  readonly total: number
  /** Cursor of the next page; null on the last. */
  readonly proximo: string | null
}

/**
 * One page of the events in scope, newest first: in the order in which they were stored, which per camera is the order in
 * which they happened whatever the edge's clock did. The cursor names the last event shown, so that events which arrive
 * between two pages move nothing.
 */
export async function listVisibleEvents(
  { db }: { readonly db: Database },
  caller: Caller,
  query: EventosQuery,
): Promise<EventPage> {
  const filter: EventFilter = {
    empresas: narrowScope(caller, query.empresa_id),
    cameraId: query.camera_id,
    tipo: query.tipo,
    gravidade: query.gravidade,
    veredito: query.veredito,
    desde: query.desde === undefined ? undefined : Date.parse(query.desde),
    ate: query.ate === undefined ? undefined : Date.parse(query.ate),
  }
  const before = query.cursor === undefined ? null : readCursor(query.cursor)
  // One more than asked: it tells whether there is a next page.
  const rows = await listEvents(db, filter, { before, limit: query.limit + 1, offset: query.offset })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return {
    eventos: shown.map(viewEvent),
    total: await countEvents(db, filter),
    proximo: last && rows.length > query.limit ? writeCursor(last.id) : null,
  }
}

const writeCursor = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url')

function readCursor(cursor: string): number {
  const id = /^v1:(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (id === undefined)
    throw invalid(['query', 'cursor'], 'Cursor desconhecido. Use o que veio na página anterior.', 'cursor_invalid')
  return Number(id)
}
