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

/** Programs that registered themselves (RFC 7591); all are public clients, without a secret. */
interface ClientesOauthTable {
  id: Generated<number>
  client_id: string
  /** As the program calls itself: anybody may register any name. */
  nome: string | null
  redirect_uris_json: string
  criado_em: number
  /** When a person last authorized it, or it last got a token; null: never. Clients that nobody uses expire. */
  usado_em: number | null
}

/** Keys that sign access tokens. The one that signs is the newest whose `assina_desde` has come. */
interface ChavesOauthTable {
  id: Generated<number>
  kid: string
  /** Public JWK. */
  publica_json: string
  /** PKCS #8 PEM, AES-256-GCM (adapters/secret-box). */
  privada_cifrada: string
  criada_em: number
  /** Later than `criada_em`, so that everybody has fetched it before it is used. */
  assina_desde: number
}

/** Sign-ins that wait for the person to say yes or no. */
interface ConsentimentosOauthTable {
  /** SHA-256 of the ticket in the page, hex. */
  bilhete_hash: string
  usuario_id: number
  /** The authorization request that was checked. */
  pedido_json: string
  expira_em: number
}

/** What a person allowed a client: the family of one code and every token that came of it. */
interface AutorizacoesOauthTable {
  id: Generated<number>
  cliente_id: number
  usuario_id: number
  escopo: string
  /** URL of the MCP resource (RFC 8707). */
  recurso: string
  criada_em: number
  /** Last token issued or used; null: the code was never exchanged. */
  usada_em: number | null
  /** End of it all, however often it is renewed. */
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

/** Refresh tokens. One that was used stays until it expires: a second use gives the whole authorization away. */
interface RenovacoesOauthTable {
  token_hash: string
  autorizacao_id: number
  criada_em: number
  expira_em: number
  usada_em: number | null
}

/** Access tokens that are out: a token without its row is not taken, whatever its signature says. */
interface AcessosOauthTable {
  jti: string
  autorizacao_id: number
  expira_em: number
}
