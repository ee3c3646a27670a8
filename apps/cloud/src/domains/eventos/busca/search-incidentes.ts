import type { BuscaIncidentes, BuscaIncidentesQuery } from '@vigia/contracts/busca'
import type { Clock } from '../../../adapters/clock.ts'
import { findIncidentes } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { incidenteFor, requirePlateSearch } from '../eventos/mask-plates.ts'
import { listVisibleIncidentes } from '../incidentes/list-incidentes.ts'
import { viewIncidente } from '../incidentes/view-incidente.ts'
import { readSentence } from './read-sentence.ts'
import { hoursOf, indexedSinceIso, isPlain, searchIds } from './search.ts'
import { incidenteBounds, incidenteMatches } from './store.ts'

/**
 * Returns one page of the incidentes in scope that match. With words or an answerer, the last opened comes first, so
 * that a change of `inicio` moves none to another page.
 * @throws VigiaError `nao_encontrado`, `validacao`, `proibido` (the words name a plate that the caller may not see)
 */
export async function searchIncidentes(
  deps: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  asked: BuscaIncidentesQuery,
): Promise<BuscaIncidentes> {
  const { db } = deps
  const { query, entendido, nothing } = await readSentence(deps, caller, asked)
  requirePlateSearch(caller, query.texto, query.empresa_id)
  if (nothing) return { itens: [], proximo: null, indexado_desde: null, entendido }
  if (isPlain(query, 'incidentes')) {
    const { incidentes, proximo } = await listVisibleIncidentes({ db }, caller, { ...query, offset: 0 })
    return { itens: incidentes, proximo, indexado_desde: null, entendido }
  }
  const hours = hoursOf(query)
  const period = readPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const none = empresas?.length === 0
  const bounds = none ? null : await incidenteBounds(db, empresas, period)
  const search = { alvo: 'incidentes', empresas, hours, matches: incidenteMatches(query, period) } as const
  const { ids, proximo } = none ? { ids: [], proximo: null } : await searchIds(db, query, search, bounds)
  const rows = new Map((await findIncidentes(db, ids)).map((row) => [row.id, row]))
  return {
    itens: ids.flatMap((id) => {
      const row = rows.get(id)
      return row ? [incidenteFor(caller, viewIncidente(row))] : []
    }),
    proximo,
    indexado_desde: await indexedSinceIso(db),
    entendido,
  }
}
