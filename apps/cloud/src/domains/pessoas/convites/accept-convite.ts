import type { ConviteAceitar, ConviteAceito } from '@vigia/contracts/convites'
import { auditConvite } from '../../../audit/audit-convite.ts'
import type { Database } from '../../../db/open.ts'
import { addUsuario } from '../usuarios/add-usuario.ts'
import type { ConvitesDeps } from './deps.ts'
import { type ConviteFrom, invalidConvite, openConvite } from './open-convite.ts'
import { deleteConvite } from './store.ts'

/**
 * Creates the login of an invited person, who then signs in. The invitation is used in the same transaction: it stays
 * after an error, and of two acceptances at the same time one succeeds.
 * @throws VigiaError `nao_encontrado` (invalid token), `conflito` (username taken, limit of logins reached),
 * `muitas_requisicoes`
 */
export async function acceptConvite(
  deps: ConvitesDeps,
  { token, username, password }: ConviteAceitar,
  from: ConviteFrom & { readonly pedido: string },
): Promise<ConviteAceito> {
  // Before the slow hash.
  const { id, empresa_id, papel } = await openConvite(deps, token, from)
  const origem = { canal: 'painel', cliente: null, endereco: from.address, pedido: from.pedido } as const
  const autor = { usuarioId: null, username, origem }
  const take = async (tx: Database, now: number) => {
    const row = await deleteConvite(tx, id)
    if (!row || row.expira_em <= now) throw invalidConvite()
    await auditConvite(tx, now, autor, { acao: 'aceitar', antes: row, depois: null })
  }
  const login = { username, papel, empresa_id, senha_hash: await deps.passwords.hash(password) }
  const quem = { escopo: new Set([empresa_id]) }
  const created = await addUsuario(deps, login, { autor, quem, first: take })
  return { username: created.username }
}
