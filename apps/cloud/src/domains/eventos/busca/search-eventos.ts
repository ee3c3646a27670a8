import type { BuscaEventos, BuscaEventosQuery } from '@vigia/contracts/busca'
import type { Clock } from '../../../adapters/clock.ts'
import { findEvents } from '../../../db/eventos.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { boundsOfPeriod } from '../eventos/bounds-of-period.ts'
import { listVisibleEvents } from '../eventos/list-eventos.ts'
import { requirePlateSearch, viewFor } from '../eventos/mask-plates.ts'
import { viewEvento } from '../eventos/view-evento.ts'
import { readSentence } from './read-sentence.ts'
import { hoursOf, indexedSinceIso, isPlain, searchIds } from './search.ts'
import { eventoMatches } from './store.ts'

/**
 * Returns one page of the events in scope that match, newest first by storage.
 * @throws VigiaError `nao_encontrado`, `validacao`, `proibido` (the words name a plate that the caller may not see)
 */
export async function searchEventos(
  deps: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  asked: BuscaEventosQuery,
): Promise<BuscaEventos> {
  const { db } = deps
  const { query, entendido, nothing } = await readSentence(deps, caller, asked)
  requirePlateSearch(caller, query.texto, query.empresa_id)
  if (nothing) return { itens: [], proximo: null, indexado_desde: null, entendido }
  if (isPlain(query, 'eventos')) {
    const { eventos, proximo } = await listVisibleEvents({ db }, caller, { ...query, offset: 0 })
    return { itens: eventos, proximo, indexado_desde: null, entendido }
  }
  const hours = hoursOf(query)
  const period = readPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const none = empresas?.length === 0
  const bounds = none ? null : await boundsOfPeriod(db, { empresas, cameraId: query.camera_id, ...period })
  const search = { alvo: 'eventos', empresas, hours, matches: eventoMatches(query, period) } as const
  const { ids, proximo } = none ? { ids: [], proximo: null } : await searchIds(db, query, search, bounds)
  return {
    itens: ids.length === 0 ? [] : (await findEvents(db, ids)).map((row) => viewFor(caller, viewEvento(row))),
    proximo,
    indexado_desde: await indexedSinceIso(db),
    entendido,
  }
}
