import { countNew } from '../../../db/evento-counts.ts'
import { insertAlertas } from '../../../db/incidentes.ts'
import { markProvas } from '../../../db/janelas-prova.ts'
import type { Database } from '../../../db/open.ts'
import type { NewEvento } from '../../../db/rows.ts'
import { indexEvents } from '../../../db/search-index.ts'
import { joinIncidentes } from '../../eventos/public.ts'
import { insertEventos } from './store.ts'

/**
 * Stores events without a verdict under ids of `takeIds`, in their incidentes, counts them and adds their alert log
 * entries, in the caller's transaction.
 */
export async function storeEvents(tx: Database, events: readonly NewEvento[]): Promise<void> {
  const [first] = events
  if (!first) return
  const joined = await joinIncidentes(tx, await markProvas(tx, events), first.recebido_em)
  await insertEventos(tx, joined.events)
  await countNew(tx, events)
  await indexEvents(tx, joined.events)
  await insertAlertas(tx, [...events.map(lineOf), ...joined.lines])
}

const lineOf = ({ id, recebido_em }: NewEvento) => ({
  evento_id: id,
  tipo: 'evento' as const,
  incidente_id: null,
  criado_em: recebido_em,
})
