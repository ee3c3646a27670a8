import { VigiaError } from '@vigia/contracts/errors'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import { unpackAlcance } from '../../../db/alcance.ts'
import type { Database } from '../../../db/open.ts'
import { notFound } from '../../../http/caller.ts'
import { isWithin } from '../../../scope/require-reach.ts'
import { scopeOf } from '../../../scope/scope-of.ts'
import { loginsOn } from '../sessoes/host-rule.ts'
import type { ConvitesDeps } from './deps.ts'
import { findByToken } from './store.ts'

/** Origin of a request without a session. */
export interface ConviteFrom {
  readonly address: string
  /** Lower case, without a port. */
  readonly host: string
}

export type OpenConvite = NonNullable<Awaited<ReturnType<typeof findByToken>>>

export const invalidConvite = () =>
  notFound('Este convite não vale: já foi usado, foi retirado ou passou das 72 horas. Peça outro a quem convidou.')

/** Whether the inviter still reaches what the invitation gives. */
async function mayInvite(db: Database, convite: OpenConvite): Promise<boolean> {
  const { empresa_de_quem, alcance_de_quem } = convite
  const inviter = { papel: 'administrador', empresa_id: empresa_de_quem, alcance: alcance_de_quem } as const
  const giver = { escopo: await scopeOf(db, inviter), alcance: unpackAlcance(alcance_de_quem, inviter.papel) }
  return isWithin(giver, convite) && (giver.escopo === 'tudo' || giver.escopo.has(convite.empresa_id))
}

/**
 * The pending invitation of a token. The same error for every other token, and on the host of a foreign Empresa.
 * @throws VigiaError `nao_encontrado`, `muitas_requisicoes`, `proibido` (host without logins)
 */
export async function openConvite(
  { db, clock, tokenLimit, dominioNeutro }: Pick<ConvitesDeps, 'db' | 'clock' | 'tokenLimit' | 'dominioNeutro'>,
  token: string,
  { address, host }: ConviteFrom,
): Promise<OpenConvite> {
  const unknown = new VigiaError('nao_autenticado', { detalhe: '' })
  const find = async () => {
    const hash = tokenHash(token)
    const found = hash === null ? undefined : await findByToken(db, hash, clock.now())
    const logins = await loginsOn(db, dominioNeutro, host)
    if (!found || (logins !== 'todos' && !logins.has(found.empresa_id))) throw unknown
    if (!(await mayInvite(db, found))) throw unknown
    return found
  }
  return await tokenLimit.guard('convite', address, find).catch((error) => {
    throw error === unknown ? invalidConvite() : error
  })
}
