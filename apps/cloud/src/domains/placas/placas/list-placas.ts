import { normalizePlaca, type PlacaListada, type PlacasQuery } from '@vigia/contracts/placas'
import { type Caller, requirePlates, requirePlatesOf, withPlates } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { type PlacasDeps, requirePlaca } from './change-placa.ts'
import { platesOf } from './store.ts'
import { viewPlaca } from './view-placa.ts'

/** One page of the listed plates in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` */
export async function listPlacas(
  { db, clock }: PlacasDeps,
  caller: Caller,
  { empresa_id, lista, placa, busca, ...page }: PlacasQuery,
): Promise<Page<PlacaListada>> {
  requirePlates(caller)
  const filter = {
    empresas: withPlates(caller, await narrowScope(db, caller, empresa_id)),
    lista,
    placa: placa?.replaceAll('*', '%'),
    busca: busca === undefined ? undefined : { placa: plateIn(busca), texto: busca },
  }
  const now = clock.now()
  return readPage(platesOf(db, filter), page, (row) => viewPlaca(row, now))
}

/** The part of a plate that a person typed; empty: the text cannot be one. */
function plateIn(busca: string): string {
  const part = normalizePlaca(busca)
  return /^[A-Z0-9]+$/.test(part) ? part : ''
}

/** @throws VigiaError `proibido`, `nao_encontrado` */
export async function getPlaca({ db, clock }: PlacasDeps, caller: Caller, id: number): Promise<PlacaListada> {
  requirePlates(caller)
  const row = await requirePlaca(db, caller, id)
  requirePlatesOf(caller, row.empresa_id)
  return viewPlaca(row, clock.now())
}
