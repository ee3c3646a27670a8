import type { EventoDetalhe, ImagemEvento } from '@vigia/contracts/eventos'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { PartialUploads } from '../../../adapters/partial-uploads.ts'
import { announcesClipes, findClipeOf } from '../../../db/clipes.ts'
import { findEvidencias } from '../../../db/evidencias.ts'
import type { Database } from '../../../db/open.ts'
import { findPreservacao } from '../../../db/preservacoes.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { type Caller, notFound } from '../../../http/caller.ts'
import { requireMaskedPicture } from '../../../scope/unmasked.ts'
import { requirePlateMedia, viewFor } from './mask-plates.ts'
import { requireEvento } from './require-evento.ts'
import { viewEventoDetalhe } from './view-evento.ts'

export interface EventoDeps {
  readonly db: Database
  readonly clock: Clock
  /** Absent: `clip_detalhe` has no percentage. */
  readonly partial?: Pick<PartialUploads, 'size'>
}

export async function getEvent({ db, clock, partial }: EventoDeps, caller: Caller, id: number): Promise<EventoDetalhe> {
  const row = await requireEvento(db, caller, id)
  const preservacao = await findPreservacao(db, id, clock.now())
  const clipe = await findClipeOf(db, id)
  const isWanted = clipe?.clipe?.estado === 'pedido' || clipe?.clipe?.estado === 'na_caixa'
  const receivedBytes = isWanted ? ((await partial?.size(clipe.clipe?.uuid ?? '')) ?? 0) : 0
  const announces = clipe !== undefined || (await announcesClipes(db, row, clock.now()))
  const evidencias = await findEvidencias(db, id)
  return viewFor(caller, viewEventoDetalhe(row, evidencias, clipe, preservacao, { receivedBytes, announces }))
}

/**
 * Reads a JPEG of an event: the `crop`, or its whole frame (`quadro`). Throws `nao_encontrado` if the event has none or
 * its file is missing, and `proibido` if it shows a plate that the caller may not see.
 */
export const getPicture = (
  { db, media }: { readonly db: Database; readonly media: MediaStore },
  caller: Caller,
  { id, imagem }: { readonly id: number; readonly imagem: ImagemEvento },
): Promise<Buffer> => readPicture(media, imagem, () => requirePicture(db, caller, id))

/** Reads a further picture of an event. Throws `nao_encontrado` like `getPicture`. */
export async function getEvidencia(
  { db, media }: { readonly db: Database; readonly media: MediaStore },
  caller: Caller,
  { id, ordem }: { readonly id: number; readonly ordem: number },
): Promise<Buffer> {
  await requirePicture(db, caller, id)
  const found = (await findEvidencias(db, id)).find((row) => row.ordem === ordem)
  const bytes = found && (await media.read(found.caminho))
  if (!bytes) throw notFound('Este evento não tem esta imagem.')
  return bytes
}

async function requirePicture(db: Database, caller: Caller, id: number): Promise<EventoRow> {
  const row = await requireEvento(db, caller, id)
  requirePlateMedia(caller, row)
  await requireMaskedPicture(db, caller, row.camera_id, row)
  return row
}

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
