import type { Passagem, PassagensQuery } from '@vigia/contracts/passagens'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { auditPlateSearch } from '../../../audit/audit-placa.ts'
import type { Database } from '../../../db/open.ts'
import { findPassage } from '../../../db/passagens.ts'
import type { PassagemRow } from '../../../db/rows.ts'
import { viewPassagem } from '../../../db/view-passagem.ts'
import { type Caller, inScope, notFound, requirePlates, requirePlatesOf } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { rowsOfPage } from '../../../http/page-cursor.ts'
import { requireMaskedPicture } from '../../../scope/unmasked.ts'
import { readFilter } from './read-filter.ts'
import { passagesOf } from './store.ts'

export interface PassagensDeps {
  readonly db: Database
  readonly clock: Clock
  readonly media: MediaStore
}

/**
 * One page of the passages in scope, newest first. A search by plate is in the audit log.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (period, cursor)
 */
export async function listPassagens(
  { db, clock }: PassagensDeps,
  caller: Caller,
  query: PassagensQuery,
): Promise<Page<Passagem>> {
  requirePlates(caller)
  const filter = await readFilter(db, caller, query)
  // An unknown cursor is refused before the search is in the audit log.
  rowsOfPage(query)
  const { placa, empresa_id } = query
  if (placa !== undefined)
    await auditPlateSearch(db, clock.now(), caller, { placa, empresaId: empresa_id ?? caller.empresaId })
  return readPage(passagesOf(db, filter), query, viewPassagem)
}

/** @throws VigiaError `proibido`, `nao_encontrado` */
export async function getPassagem({ db }: PassagensDeps, caller: Caller, id: number): Promise<Passagem> {
  return viewPassagem(await requirePassagem(db, caller, id))
}

/** The JPEG of the vehicle or of its plate. @throws VigiaError `proibido`, `nao_encontrado` */
export async function getFoto(
  { db, media }: PassagensDeps,
  caller: Caller,
  id: number,
  papel: 'veiculo' | 'placa',
): Promise<Buffer> {
  const { foto_path, foto_placa_path, camera_id, ocorrido_em, recebida_em } = await requirePassagem(db, caller, id)
  await requireMaskedPicture(db, caller, camera_id, { ocorrido_em, recebido_em: recebida_em })
  const path = papel === 'veiculo' ? foto_path : foto_placa_path
  const bytes = path === null ? null : await media.read(path)
  if (!bytes) throw notFound('Esta passagem não tem essa foto.')
  return bytes
}

/** @throws VigiaError `proibido`, `nao_encontrado` */
export async function requirePassagem(db: Database, caller: Caller, id: number): Promise<PassagemRow> {
  requirePlates(caller)
  const row = await findPassage(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Passagem não encontrada.')
  requirePlatesOf(caller, row.empresa_id)
  return row
}
