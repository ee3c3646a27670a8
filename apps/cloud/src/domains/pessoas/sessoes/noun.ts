import type { Generated } from 'kysely'
import { access, owner, period } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/**
 * A session: all tokens that one sign-in and its renewals gave. Its row is locked by a renewal. Deleting it deletes the
 * tokens, so no token outlives its session.
 */
interface SessoesTable {
  id: Generated<number>
  /** null: the session of a quiosque. */
  usuario_id: number | null
  quiosque_id: Generated<number | null>
  /** Host name that issued it, without a port; null: not known. */
  host: string | null
  iniciada_em: number
  /** Latest end of any token; a renewal after it is refused. */
  renova_ate: number
  /** End of the longest-lived token. */
  expira_em: number
  /** Last use, with the precision of SEEN_MS (domains/pessoas/sessoes/authenticate.ts). */
  visto_em: number
  /** User agent of the sign-in, shortened; null: not sent. */
  agente: Generated<string | null>
  /** Client address of the sign-in. */
  endereco: Generated<string | null>
}

/** Rows stay until the end of their session: an open stream is known by the token that opened it. */
interface TokensSessaoTable {
  /** SHA-256 of the token, hex; the token itself is not stored. */
  token_hash: string
  sessao_id: number
  expira_em: number
}

/** Sessions. */
export const sessoes = defineNoun({
  chapter: 'Sessão',
  segments: ['auth', 'me', 'login', 'logout'],
  tables: {
    sessoes: table<SessoesTable>()({
      ...access('address and browser of a sign-in', period('its end')),
      bound: 'Access: sessions',
    }),
    tokens_sessao: table<TokensSessaoTable>()({
      ...access('hash of a token', period('its end')),
      ends: [owner('sessoes')],
      readers: 'none',
      bound: 'Rate: renewals',
    }),
  },
})
