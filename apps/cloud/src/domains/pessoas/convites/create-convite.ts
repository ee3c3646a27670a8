import { CONVITE_H, type ConviteCreate, type ConviteCriado } from '@vigia/contracts/convites'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import { auditConvite } from '../../../audit/audit-convite.ts'
import { lockEmpresa } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireLogin, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireReach } from '../../../scope/require-reach.ts'
import type { ConvitesDeps } from './deps.ts'
import { insertConvite, pendingConvites } from './store.ts'
import { viewConvite } from './view-convite.ts'

/** Largest number of pending invitations of one Empresa. */
const CONVITES_MAX = 100

/**
 * Creates an invitation to an Empresa in scope and returns its link, which is shown only once. The token is in the
 * fragment, which browsers send to no server. An operator is never invited.
 * @param origin scheme and host of the link
 * @throws VigiaError `proibido` (also a reach beyond the caller's), `nao_encontrado` (Empresa out of scope),
 * `validacao` (no Empresa), `conflito` (too many pending), `muitas_requisicoes`
 */
export async function createConvite(
  { db, clock, limit }: Pick<ConvitesDeps, 'db' | 'clock' | 'limit'>,
  caller: Caller,
  input: ConviteCreate,
  origin: string,
): Promise<ConviteCriado> {
  requireWrite(caller)
  const usuarioId = requireLogin(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga para qual Empresa é o convite', 'missing')
  requireScope(caller, empresaId)
  const alcance = await requireReach(db, caller, { papel: input.papel, empresa_id: empresaId, alcance: input.alcance })
  await limit.consume(`login:${usuarioId}`)
  const token = newToken()
  const now = clock.now()
  const values = {
    empresa_id: empresaId,
    papel: input.papel,
    alcance,
    para: input.para ?? null,
    token_hash: tokenHash(token) ?? '',
    criado_por_id: usuarioId,
    criado_por: caller.username ?? '',
    criado_em: now,
    expira_em: now + CONVITE_H * 3_600_000,
    aceito_em: null,
    aceito_por: null,
  }
  const row = await transact(db, async (tx) => {
    if (!(await lockEmpresa(tx, empresaId))) throw notFound('Empresa não encontrada.')
    await requireSpace(tx, empresaId, now)
    const created = await insertConvite(tx, values)
    await auditConvite(tx, now, caller, { antes: null, depois: created })
    return created
  })
  return { ...viewConvite(row), link: `${origin}/convite#${token}` }
}

async function requireSpace(tx: Database, empresaId: number, now: number): Promise<void> {
  if ((await pendingConvites(tx, [empresaId], now).count()) >= CONVITES_MAX)
    throw new VigiaError('conflito', {
      detalhe: `A Empresa já tem ${CONVITES_MAX} convites em aberto, o máximo. Retire um ou espere que sejam usados.`,
    })
}
