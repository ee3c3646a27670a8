import type { Generated } from 'kysely'
import { access, machine, owner, period } from '../../../db/data-register/entry.ts'
import { defineNoun, program, table } from '../../../nouns/define-noun.ts'

/** Programs that registered themselves (RFC 7591) or have a document at their id. All are public, without a secret. */
interface ClientesOauthTable {
  id: Generated<number>
  client_id: string
  /** Name given by the program; any client may register any name. */
  nome: string | null
  redirect_uris_json: string
  criado_em: number
  /** Last read of the document at its id, which is then a URL; null: registered by the program itself. */
  lido_em: number | null
  /** Time of the last authorization or token; null: never. Unused clients expire. */
  usado_em: number | null
}

/** Keys that sign access tokens. The newest key whose `assina_desde` has passed signs. */
interface ChavesOauthTable {
  id: Generated<number>
  kid: string
  /** Public JWK. */
  publica_json: string
  /** PKCS #8 PEM, AES-256-GCM (adapters/secret-box). */
  privada_cifrada: string
  criada_em: number
  /** Later than `criada_em`, so that all verifiers fetch the key before its first use. */
  assina_desde: number
}

/** Sign-ins that wait for the person's consent. */
interface ConsentimentosOauthTable {
  /** SHA-256 of the ticket in the page, hex. */
  bilhete_hash: string
  usuario_id: number
  /** The validated authorization request. */
  pedido_json: string
  expira_em: number
}

interface CodigosOauthTable {
  codigo_hash: string
  autorizacao_id: number
  redirect_uri: string
  /** S256. */
  code_challenge: string
  expira_em: number
  usado_em: number | null
}

/**
 * Refresh tokens. Used tokens stay until they expire: a second use later than the grace (lifetimes.ts) revokes the
 * whole authorization.
 */
interface RenovacoesOauthTable {
  token_hash: string
  autorizacao_id: number
  criada_em: number
  expira_em: number
  usada_em: number | null
  /** Second use within the grace. */
  repetida_em: number | null
}

/** Issued access tokens: a token without a row is refused even with a valid signature. */
interface AcessosOauthTable {
  jti: string
  autorizacao_id: number
  expira_em: number
}

/** Authorization server. */
export const oauth = defineNoun({
  chapter: 'Agentes',
  segments: ['oauth', '.well-known'],
  tables: {
    clientes_oauth: table<ClientesOauthTable>()({
      ...machine(period('unused ones')),
      bound: 'Agents: registered programs',
    }),
    chaves_oauth: table<ChavesOauthTable>()({ ...machine(period('rotation')), bound: program }),
    consentimentos_oauth: table<ConsentimentosOauthTable>()({
      ...access('a sign-in in progress', period('minutes')),
      readers: 'none',
      bound: 'Agents: open consent pages',
    }),
    codigos_oauth: table<CodigosOauthTable>()({
      ...access('hash of a code', period('minutes')),
      ends: [owner('autorizacoes_oauth')],
      bound: 'Agents: codes and tokens of an authorization',
    }),
    renovacoes_oauth: table<RenovacoesOauthTable>()({
      ...access('hash of a token', period('its end')),
      ends: [owner('autorizacoes_oauth')],
      bound: 'Agents: codes and tokens of an authorization',
    }),
    acessos_oauth: table<AcessosOauthTable>()({
      ...access('id of a token', period('its end')),
      ends: [owner('autorizacoes_oauth')],
      bound: 'Agents: codes and tokens of an authorization',
    }),
  },
})
