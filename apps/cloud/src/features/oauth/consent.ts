import { VigiaError } from '@vigia/contracts/errors'
import type { DecisaoForm } from '@vigia/contracts/oauth-authorize'
import { newToken, tokenHash } from '../../adapters/bearer-token.ts'
import type { Clock } from '../../adapters/clock.ts'
import { auditChange } from '../../audit/audit-change.ts'
import { lockAsSeen } from '../../db/locks.ts'
import type { Database } from '../../db/open.ts'
import type { UsuarioRow } from '../../db/rows.ts'
import { findUsuario } from '../../db/usuarios.ts'
import type { Origem } from '../../http/caller.ts'
import type { Fator } from '../segundo-fator/check-factor.ts'
import { mustEnrol } from '../segundo-fator/requirement.ts'
import { wrongPassword } from '../sessoes/check-password.ts'
import { fingerprint } from '../usuarios/fingerprint.ts'
import { findClient } from './clients-store.ts'
import { insertTicket, takeTicket } from './consent-store.ts'
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

/** ms that a person has to read the page and decide. */
const TICKET_MS = 10 * 60_000
/** Consent pages that one login has open at once. */
const MOST_TICKETS = 10

/** What a ticket stands for: the request as it was checked, and the login as the page named it. */
interface Asked {
  readonly pedido: AuthorizationRequest
  readonly login: string
}

/**
 * A ticket for the decision of `usuario` on `pedido`: 256 random bits, stored as a hash, for one use within 10 minutes.
 * It is the whole proof that the decision wants. Only the page that answers a good password or session holds it, and no
 * other site can read that page (same-origin policy, never framed, never cached), so that whoever posts it has been shown
 * it. It is not tied to the session cookie, because who signs in on the page itself gets none.
 * @param entrada where a password (and a code) came from that was good just now; null: a session was there already
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
  await db.transaction().execute(async (tx) => {
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
  /** null: the person refused, or the account is full. */
  readonly code: string | null
  /** Sentence for the person where the account has no place for another agent; else null. */
  readonly cheia: string | null
}

/**
 * Carries a person's decision out, and uses the ticket up in the same transaction. In a full account the ticket stays good: the
 * person can remove another agent and decide again.
 * @param base where the decision came in: a ticket counts at the installation's address that it was given for
 * @returns null when the ticket is used, unknown or older than 10 minutes, when the login has been switched off, or given
 * another password, role, Empresa or second factor since, or has to turn one on, or when the client is no more
 */
export async function decideConsent(
  { db, clock }: ConsentDeps,
  { bilhete, decisao, acesso }: DecisaoForm,
  base: string,
  origem: Origem,
): Promise<Decision | null> {
  const now = clock.now()
  let asked: AuthorizationRequest | null = null
  // A ticket that does not count is used up all the same: nothing is thrown that would bring it back.
  const decide = async (tx: Database): Promise<Decision | null> => {
    const ticket = await takeTicket(tx, tokenHash(bilhete) ?? '', now)
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
    const escopo = acesso === 'mcp:leitura' ? acesso : pedido.escopo
    asked = pedido
    return { pedido, code: await issueCode({ tx, clock }, autor, { ...pedido, escopo }), cheia: null }
  }
  try {
    return await db.transaction().execute(decide)
  } catch (error) {
    if (asked === null || !isFull(error)) throw error
    return { pedido: asked, code: null, cheia: error.detalhe }
  }
}

/** Whether `issueCode` refused because the login's Empresa, or one above it, has no place for another agent. */
export const isFull = (error: unknown): error is VigiaError => error instanceof VigiaError && error.code === 'conflito'

/**
 * Issues a code to whoever posts the form of the interface with a good password: posting it is the consent.
 * @param usuario as the password was checked against it
 * @throws VigiaError `nao_autenticado` when it was switched off or given another password or second factor meanwhile,
 * `conflito` (`isFull`)
 */
export const authorizeDirectly = (
  { db, clock }: ConsentDeps,
  usuario: UsuarioRow,
  pedido: AuthorizationRequest,
  origem: Origem,
): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await deleteDeadGrants(tx, clock.now())
    if (!(await lockAsSeen(tx, usuario))) throw wrongPassword()
    return issueCode({ tx, clock }, authorOf(usuario, origem), pedido)
  })
