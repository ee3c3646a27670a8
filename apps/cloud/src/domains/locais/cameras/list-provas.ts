import type { Prova, ProvasQuery } from '@vigia/contracts/provas'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { countProvas, listProvas } from './prova-store.ts'
import { requireCamera } from './require-camera.ts'
import { viewProva } from './view-prova.ts'

/** One page of the provas of a camera, newest first. @throws VigiaError `nao_encontrado` */
export async function listVisibleProvas(
  { db }: { readonly db: Database },
  caller: Caller,
  id: number,
  page: ProvasQuery,
): Promise<{ readonly provas: Prova[]; readonly total: number; readonly proximo: string | null }> {
  await requireCamera(db, caller, id)
  const { shown, proximo } = cutPage(await listProvas(db, id, rowsOfPage(page)), page.limit)
  return { provas: shown.map(viewProva), total: await countProvas(db, id), proximo }
}
