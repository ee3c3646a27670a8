import type { Convite, ConvitesQuery } from '@vigia/contracts/convites'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { type Page, readPage } from '../../../http/page-answer.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import type { ConvitesDeps } from './deps.ts'
import { pendingConvites } from './store.ts'
import { viewConvite } from './view-convite.ts'

/** One page of the pending invitations in scope, newest first. @throws VigiaError `proibido`, `nao_encontrado` */
export async function listVisibleConvites(
  { db, clock }: Pick<ConvitesDeps, 'db' | 'clock'>,
  caller: Caller,
  { empresa_id, ...page }: ConvitesQuery,
): Promise<Page<Convite>> {
  requireWrite(caller)
  const empresas = await narrowScope(db, caller, empresa_id)
  return readPage(pendingConvites(db, empresas, clock.now()), page, viewConvite)
}
