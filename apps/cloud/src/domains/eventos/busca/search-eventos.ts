import type { BuscaEventos, BuscaEventosQuery } from '@vigia/contracts/busca'
import { findEvents } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { boundsOfPeriod } from '../eventos/bounds-of-period.ts'
import { listVisibleEvents } from '../eventos/list-eventos.ts'
import { requirePlateSearch, viewFor } from '../eventos/mask-plates.ts'
import { viewEvento } from '../eventos/view-evento.ts'
import { indexedSinceIso, isPlain, searchIds } from './search.ts'
import { eventoMatches } from './store.ts'

/**
 * Returns one page of the events in scope that match, newest first by storage.
 * @throws VigiaError `nao_encontrado`, `validacao`, `proibido` (the words name a plate that the caller may not see)
 */
export async function searchEventos(
  { db }: { readonly db: Database },
  caller: Caller,
  query: BuscaEventosQuery,
): Promise<BuscaEventos> {
  requirePlateSearch(caller, query.texto, query.empresa_id)
  if (isPlain(query)) {
    const { eventos, proximo } = await listVisibleEvents({ db }, caller, { ...query, offset: 0 })
    return { itens: eventos, proximo, indexado_desde: null }
  }
  const period = readPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const none = empresas?.length === 0
  const bounds = none ? null : await boundsOfPeriod(db, { empresas, cameraId: query.camera_id, ...period })
  const search = { alvo: 'eventos', empresas, matches: eventoMatches(query, period) } as const
  const { ids, proximo } = none ? { ids: [], proximo: null } : await searchIds(db, query, search, bounds)
  return {
    itens: ids.length === 0 ? [] : (await findEvents(db, ids)).map((row) => viewFor(caller, viewEvento(row))),
    proximo,
    indexado_desde: await indexedSinceIso(db),
  }
}
