import type { Generated } from 'kysely'

/** Tables of the authorization server. Times are epoch ms (UTC), as in tables.ts. */
export interface OauthTables {
  clientes_oauth: ClientesOauthTable
  chaves_oauth: ChavesOauthTable
  consentimentos_oauth: ConsentimentosOauthTable
  autorizacoes_oauth: AutorizacoesOauthTable
  codigos_oauth: CodigosOauthTable
  renovacoes_oauth: RenovacoesOauthTable
  acessos_oauth: AcessosOauthTable
}

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

/** A person's authorization of a client, with one code and all its tokens. */
interface AutorizacoesOauthTable {
  id: Generated<number>
  cliente_id: number
  usuario_id: number
  escopo: string
  /** Effects that the person ticked (contracts, efeitos.ts): a list. */
  efeitos_json: Generated<string>
  /** URL of the MCP resource (RFC 8707). */
  recurso: string
  criada_em: number
  /** Last token issued or used; null: the code was never exchanged. */
  usada_em: number | null
  /** Absolute end, regardless of renewals. */
  expira_em: number
  revogada_em: number | null
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
