import type { PlacaListada, PlacasQuery } from '@vigia/contracts/placas'
import { type Caller, requirePlates } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { type PlacasDeps, requirePlaca } from './change-placa.ts'
import { countPlates, listPlates } from './store.ts'
import { viewPlaca } from './view-placa.ts'

/** One page of the listed plates in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` */
export async function listPlacas(
  { db, clock }: PlacasDeps,
  caller: Caller,
  { empresa_id, lista, placa, ...page }: PlacasQuery,
): Promise<{ readonly placas: PlacaListada[]; readonly total: number; readonly proximo: string | null }> {
  requirePlates(caller)
  const filter = { empresas: await narrowScope(db, caller, empresa_id), lista, placa: placa?.replaceAll('*', '%') }
  const { shown, proximo } = cutPage(await listPlates(db, filter, rowsOfPage(page)), page.limit)
  const now = clock.now()
  return { placas: shown.map((row) => viewPlaca(row, now)), total: await countPlates(db, filter), proximo }
}

/** @throws VigiaError `proibido`, `nao_encontrado` */
export async function getPlaca({ db, clock }: PlacasDeps, caller: Caller, id: number): Promise<PlacaListada> {
  requirePlates(caller)
  return viewPlaca(await requirePlaca(db, caller, id), clock.now())
}
