import type { ConviteAceitar, ConviteAceito } from '@vigia/contracts/convites'
import { VigiaError } from '@vigia/contracts/errors'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import { auditConvite } from '../../../audit/audit-convite.ts'
import type { Database } from '../../../db/open.ts'
import { addUsuario } from '../usuarios/add-usuario.ts'
import { usernameKey } from '../usuarios/username.ts'
import type { ConvitesDeps } from './deps.ts'
import { type ConviteFrom, invalidConvite, openConvite } from './open-convite.ts'
import { findAccepted, useConvite } from './store.ts'

/**
 * Creates the login of an invited person, who then signs in. The invitation is used in the same transaction: it stays
 * after an error, and of two acceptances at the same time one succeeds. The same acceptance within a minute is answered
 * again, because the first answer may be lost.
 * @throws VigiaError `nao_encontrado` (invalid token), `conflito` (username taken, limit of logins reached),
 * `muitas_requisicoes`
 */
export async function acceptConvite(
  deps: ConvitesDeps,
  input: ConviteAceitar,
  from: ConviteFrom & { readonly pedido: string },
): Promise<ConviteAceito> {
  try {
    return await createLogin(deps, input, from)
  } catch (error) {
    const again = error instanceof VigiaError && error.code === 'nao_encontrado' ? await madeBy(deps, input) : null
    if (again === null) throw error
    return again
  }
}

async function createLogin(
  deps: ConvitesDeps,
  { token, username, password }: ConviteAceitar,
  from: ConviteFrom & { readonly pedido: string },
): Promise<ConviteAceito> {
  // Before the slow hash.
  const { id, empresa_id, papel, alcance } = await openConvite(deps, token, from)
  const origem = { canal: 'painel', cliente: null, endereco: from.address, pedido: from.pedido } as const
  const autor = { usuarioId: null, username, origem }
  const take = async (tx: Database, now: number) => {
    const row = await useConvite(tx, id, { aceito_em: now, aceito_por: usernameKey(username) })
    if (!row || row.expira_em <= now) throw invalidConvite()
    await auditConvite(tx, now, autor, { acao: 'aceitar', antes: row, depois: null })
  }
  const login = { username, papel, empresa_id, alcance, senha_hash: await deps.passwords.hash(password) }
  const quem = { escopo: new Set([empresa_id]) }
  const created = await addUsuario(deps, login, { autor, quem, first: take })
  return { username: created.username }
}

/** The login that the same acceptance has made; null: none. */
async function madeBy(
  { db, clock, passwords }: ConvitesDeps,
  { token, username, password }: ConviteAceitar,
): Promise<ConviteAceito | null> {
  const made = await findAccepted(db, tokenHash(token) ?? '', clock.now())
  const isSame = made?.username_chave === usernameKey(username) && (await passwords.verify(made.senha_hash, password))
  return made && isSame ? { username: made.username } : null
}
