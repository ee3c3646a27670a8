import type { Prova, ProvasQuery } from '@vigia/contracts/provas'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { provasOf } from './prova-store.ts'
import { requireCamera } from './require-camera.ts'
import { viewProva } from './view-prova.ts'

/** One page of the provas of a camera, newest first. @throws VigiaError `nao_encontrado` */
export async function listVisibleProvas(
  { db }: { readonly db: Database },
  caller: Caller,
  id: number,
  page: ProvasQuery,
): Promise<Page<Prova>> {
  await requireCamera(db, caller, id)
  return readPage(provasOf(db, id), page, viewProva)
}
