import { efeitos } from '@vigia/contracts/efeitos'
import { VigiaError } from '@vigia/contracts/errors'
import type { DecisaoForm } from '@vigia/contracts/oauth-authorize'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { packAlcance } from '../../../db/alcance.ts'
import { livingIds } from '../../../db/empresas.ts'
import { lockAsSeen, lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { inScope, type Origem } from '../../../http/caller.ts'
import { narrower, scopeOf } from '../../../scope/scope-of.ts'
import { type Fator, fingerprint, mustEnrol, wrongPassword } from '../../pessoas/public.ts'
import { canHaveEffects } from './can-have-effects.ts'
import { findClient } from './clients-store.ts'
import { insertTicket, loginOfTicket, takeTicket } from './consent-store.ts'
import { deleteDeadGrants } from './grants-store.ts'
import { type AuthorizationRequest, issueCode } from './issue-code.ts'
import { mcpResource } from './public-base.ts'

interface ConsentDeps {
  readonly db: Database
  readonly clock: Clock
}

const authorOf = ({ id, username, empresa_id }: UsuarioRow, origem: Origem) => ({
  usuarioId: id,
  username,
  empresaId: empresa_id,
  origem,
})

/** Time for a person to read the page and decide. */
const TICKET_MS = 10 * 60_000
/** Open consent pages of one login. */
export const MOST_TICKETS = 10

/** Content of a ticket: the checked request, and the fingerprint of the login. */
interface Asked {
  readonly pedido: AuthorizationRequest
  readonly login: string
}

/**
 * Returns a ticket for the decision of `usuario` on `pedido`: 256 random bits, stored as a hash, for one use within 10
 * minutes. The decision requires no other proof. Only the page after a correct password or with a session contains the
 * ticket. No other site can read that page (same-origin policy, never framed, never cached). The ticket is not tied to
 * the session cookie, because a login on the page itself sets none.
 * @param entrada origin and second factor of the login on the page; null: an existing session
 */
export async function askConsent(
  { db, clock }: ConsentDeps,
  usuario: UsuarioRow,
  pedido: AuthorizationRequest,
  entrada: (Origem & { readonly fator: Fator }) | null,
): Promise<string> {
  const ticket = newToken()
  const now = clock.now()
  const asked: Asked = { pedido, login: fingerprint(usuario) }
  await transact(db, async (tx) => {
    await lockRow(tx, 'usuarios', usuario.id)
    const row = {
      bilhete_hash: tokenHash(ticket) ?? '',
      usuario_id: usuario.id,
      pedido_json: JSON.stringify(asked),
      expira_em: now + TICKET_MS,
    }
    await insertTicket(tx, row, MOST_TICKETS, now)
    if (entrada) {
      const { fator, ...origem } = entrada
      await auditChange(tx, now, authorOf(usuario, origem), {
        acao: 'entrar',
        objeto: 'sessao',
        id: null,
        nome: null,
        empresaId: usuario.empresa_id,
        antes: null,
        depois: { client_id: pedido.clientId, ...(fator && { segundo_fator: fator }) },
      })
    }
  })
  return ticket
}

interface Decision {
  readonly pedido: AuthorizationRequest
  /** null: the person refused, or the account has reached its limit. */
  readonly code: string | null
  /** Sentence for the person if the account has reached its limit of agents; else null. */
  readonly cheia: string | null
}

/**
 * Executes the decision and consumes the ticket in one transaction. In a full account the ticket stays valid: the
 * person can remove another agent and decide again.
 * @param base of the request: a ticket is valid only at the address that issued it
 * @returns null when the ticket is used, unknown or expired, or when its client no longer exists. Also null when the
 * login is inactive, changed (password, role, Empresa, reach, second factor) or lacks a required second factor. Null
 * for an Empresa out of its reach, too.
 */
export async function decideConsent(
  { db, clock }: ConsentDeps,
  { bilhete, decisao, acesso, alcance, ...ticks }: DecisaoForm,
  base: string,
  origem: Origem,
): Promise<Decision | null> {
  const now = clock.now()
  let asked: AuthorizationRequest | null = null
  const hash = tokenHash(bilhete) ?? ''
  const usuarioId = await loginOfTicket(db, hash)
  if (usuarioId === undefined) return null
  // Returns null in place of throwing, so that the transaction also consumes an invalid ticket.
  const decide = async (tx: Database): Promise<Decision | null> => {
    await lockRow(tx, 'usuarios', usuarioId)
    const ticket = await takeTicket(tx, hash, now)
    const usuario = ticket && (await findUsuario(tx, ticket.usuario_id))
    if (!ticket || !usuario) return null
    const { pedido, login } = JSON.parse(ticket.pedido_json) as Asked
    const cliente = await findClient(tx, pedido.clientId, now)
    const stands = usuario.ativo === 1 && fingerprint(usuario) === login && pedido.recurso === mcpResource(base)
    if (!stands || !cliente || (await mustEnrol(tx, usuario))) return null
    const autor = authorOf(usuario, origem)
    if (decisao === 'recusar') {
      await auditChange(tx, now, autor, {
        acao: 'recusar',
        objeto: 'autorizacao_oauth',
        id: null,
        nome: cliente.nome,
        empresaId: usuario.empresa_id,
        antes: null,
        depois: { client_id: cliente.client_id, escopo: pedido.escopo, redirect_uri: pedido.redirectUri },
      })
      return { pedido, code: null, cheia: null }
    }
    const reach = await chosenReach(tx, usuario, alcance)
    if (reach === undefined) return null
    const escopo = acesso === 'mcp:leitura' ? acesso : pedido.escopo
    asked = pedido
    const allowed = canHaveEffects(usuario.papel, escopo) ? efeitos.filter((one) => ticks[one] === 'sim') : []
    const given = { efeitos: allowed, alcance: reach }
    return { pedido, code: await issueCode({ tx, clock }, autor, { ...pedido, escopo }, given), cheia: null }
  }
  try {
    return await transact(db, decide)
  } catch (error) {
    if (asked === null || !isFull(error)) throw error
    return { pedido: asked, code: null, cheia: error.detalhe }
  }
}

/** The stored reach of the choice on the page; undefined: the login does not reach that Empresa. */
async function chosenReach(tx: Database, usuario: UsuarioRow, chosen = 'login'): Promise<string | null | undefined> {
  if (chosen === 'login') return null
  const id = Number(chosen)
  const escopo = narrower(await scopeOf(tx, usuario), await livingIds(tx, [id]))
  return inScope({ escopo }, id) ? packAlcance([id]) : undefined
}

/** Whether `issueCode` failed because the Empresa of the login, or one above it, has reached its limit of agents. */
export const isFull = (error: unknown): error is VigiaError => error instanceof VigiaError && error.code === 'conflito'

/**
 * Issues a code for a post of the form with a correct password, which counts as consent. Effects need the
 * page.
 * @param usuario row that the password check used
 * @throws VigiaError `nao_autenticado` when the login was deactivated or its password or second factor changed
 * meanwhile, `conflito` (`isFull`)
 */
export const authorizeDirectly = (
  { db, clock }: ConsentDeps,
  usuario: UsuarioRow,
  pedido: AuthorizationRequest,
  origem: Origem,
): Promise<string> =>
  transact(db, async (tx) => {
    await deleteDeadGrants(tx, clock.now())
    if (!(await lockAsSeen(tx, usuario))) throw wrongPassword()
    return issueCode({ tx, clock }, authorOf(usuario, origem), pedido)
  })
