import type { EventoDetalhe, ImagemEvento } from '@vigia/contracts/eventos'
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

/**
 * A JPEG of an event: the `crop`, or the whole frame it was cut out of (`quadro`). Throws `nao_encontrado` when the event
 * came without one or its file is gone.
 */
export async function getPicture(
  { db, media }: { readonly db: Database; readonly media: MediaStore },
  caller: Caller,
  { id, imagem }: { readonly id: number; readonly imagem: ImagemEvento },
): Promise<Buffer> {
  const row = await requireEvent(db, caller, id)
  const path = imagem === 'crop' ? row.crop_path : row.quadro_path
  const bytes = path === null ? null : await media.read(path)
  if (!bytes) throw notFound('Este evento não tem imagem.')
  return bytes
}
