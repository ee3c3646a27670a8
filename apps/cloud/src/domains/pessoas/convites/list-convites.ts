import type { Convite, ConvitesQuery } from '@vigia/contracts/convites'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import type { ConvitesDeps } from './deps.ts'
import { countConvites, listConvites } from './store.ts'
import { viewConvite } from './view-convite.ts'

/** One page of the pending invitations in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` */
export async function listVisibleConvites(
  { db, clock }: Pick<ConvitesDeps, 'db' | 'clock'>,
  caller: Caller,
  { empresa_id, ...page }: ConvitesQuery,
): Promise<{ readonly convites: Convite[]; readonly total: number; readonly proximo: string | null }> {
  requireWrite(caller)
  const empresas = await narrowScope(db, caller, empresa_id)
  const now = clock.now()
  const { shown, proximo } = cutPage(await listConvites(db, empresas, now, rowsOfPage(page)), page.limit)
  return { convites: shown.map(viewConvite), total: await countConvites(db, empresas, now), proximo }
}
