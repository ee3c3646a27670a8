import type { EventoDetalhe, ImagemEvento } from '@vigia/contracts/eventos'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import type { Database } from '../../db/open.ts'
import type { EventoRow } from '../../db/rows.ts'
import { type Caller, notFound } from '../../http/caller.ts'
import { requireEvento } from './require-evento.ts'
import { viewEventoDetalhe } from './view-evento.ts'

export async function getEvent({ db }: { readonly db: Database }, caller: Caller, id: number): Promise<EventoDetalhe> {
  return viewEventoDetalhe(await requireEvento(db, caller, id))
}

/**
 * Reads a JPEG of an event: the `crop`, or its whole frame (`quadro`). Throws `nao_encontrado` if the event has none or
 * its file is missing.
 */
export const getPicture = (
  { db, media }: { readonly db: Database; readonly media: MediaStore },
  caller: Caller,
  { id, imagem }: { readonly id: number; readonly imagem: ImagemEvento },
): Promise<Buffer> => readPicture(media, imagem, () => requireEvento(db, caller, id))

/** @param find the event's row; called again if its picture has moved */
export async function readPicture(
  media: MediaStore,
  imagem: ImagemEvento,
  find: () => Promise<Pick<EventoRow, 'crop_path' | 'quadro_path'>>,
): Promise<Buffer> {
  const pathNow = async () => {
    const { crop_path, quadro_path } = await find()
    return imagem === 'crop' ? crop_path : quadro_path
  }
  const path = await pathNow()
  let bytes = path === null ? null : await media.read(path)
  if (path !== null && bytes === null) {
    // A review may have moved it between the two reads.
    const moved = await pathNow()
    if (moved !== null && moved !== path) bytes = await media.read(moved)
  }
  if (!bytes) throw notFound('Este evento não tem imagem.')
  return bytes
}
