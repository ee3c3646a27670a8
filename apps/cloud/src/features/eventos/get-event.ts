import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, notFound, scopeIds } from '../../http/caller.ts'
import { type EventRow, findEvent } from './store.ts'
import { viewEventDetail } from './view-event.ts'

async function requireEvent(db: Database, caller: Caller, id: number): Promise<EventRow> {
  const row = await findEvent(db, id, scopeIds(caller))
  if (!row) throw notFound('Evento não encontrado.')
  return row
}

export async function getEvent({ db }: { readonly db: Database }, caller: Caller, id: number): Promise<EventoDetalhe> {
  return viewEventDetail(await requireEvent(db, caller, id))
}

/** The JPEG of an event. Throws `nao_encontrado` when the event came without one or its file is gone. */
export async function getCrop(
  { db, media }: { readonly db: Database; readonly media: MediaStore },
  caller: Caller,
  id: number,
): Promise<Buffer> {
  const { crop_path } = await requireEvent(db, caller, id)
  const bytes = crop_path === null ? null : await media.read(crop_path)
  if (!bytes) throw notFound('Este evento não tem imagem.')
  return bytes
}
