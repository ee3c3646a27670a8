import {
  MAX_PERCURSO,
  MAX_PRESENCAS,
  type Percurso,
  type PercursoQuery,
  type Presenca,
  type PresencasQuery,
} from '@vigia/contracts/presencas'
import type { Clock } from '../../../adapters/clock.ts'
import { auditPlateSearch } from '../../../audit/audit-placa.ts'
import type { Database } from '../../../db/open.ts'
import { viewPassagem } from '../../../db/view-passagem.ts'
import { type Caller, requirePlates, withPlates } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { pairStays } from './pair-stays.ts'
import { staysOfPlate } from './stays-of-plate.ts'
import { passagesOfPlate, recentMovements } from './store.ts'
import { viewEstadia, viewPresenca } from './view-presenca.ts'

export interface PresencasDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Vehicles in scope that entered in the last 30 days and did not leave, newest entry first.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope)
 */
export async function listPresencas(
  { db, clock }: PresencasDeps,
  caller: Caller,
  { empresa_id, local }: PresencasQuery,
): Promise<{ readonly presencas: Presenca[]; readonly total: number }> {
  requirePlates(caller)
  const now = clock.now()
  const empresas = withPlates(caller, await narrowScope(db, caller, empresa_id))
  const stays = await pairStays(await recentMovements(db, { empresas, local, now }))
  const entries = stays.flatMap(({ entrada, aberta }) => (entrada && aberta ? [entrada] : [])).reverse()
  const presencas = entries.slice(0, MAX_PRESENCAS).map((entrada) => viewPresenca(entrada, now))
  return { presencas, total: entries.length }
}

/**
 * Passages and stays of one plate in scope. The search is in the audit log.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope)
 */
export async function getPercurso(
  { db, clock }: PresencasDeps,
  caller: Caller,
  { placa, empresa_id }: PercursoQuery,
): Promise<Percurso> {
  requirePlates(caller)
  const now = clock.now()
  const empresas = withPlates(caller, await narrowScope(db, caller, empresa_id))
  await auditPlateSearch(db, now, caller, { placa, empresaId: empresa_id ?? caller.empresaId })
  const rows = await passagesOfPlate(db, { empresas, placa })
  const stays = await staysOfPlate(placa, rows, await recentMovements(db, { empresas, now }))
  const estadias = stays.reverse().slice(0, MAX_PERCURSO)
  return { placa, passagens: rows.map(viewPassagem), estadias: estadias.map((stay) => viewEstadia(stay, now)) }
}
