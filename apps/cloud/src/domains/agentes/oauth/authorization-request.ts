import type { EscopoOauth } from '@vigia/contracts/oauth'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { type ClientDocuments, isDocumentId } from './client-documents.ts'
import { type ClientRow, findClient } from './clients-store.ts'
import type { AuthorizationRequest } from './issue-code.ts'
import { mcpResource, sameResource } from './public-base.ts'
import { matchesRegistered } from './redirect-uri.ts'

/** Parameters of an authorization request. Other parameters are ignored (RFC 6749 section 3.1). */
const requestFields = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const
type Field = (typeof requestFields)[number]
type RequestFields = Readonly<Partial<Record<Field, string | undefined>>>

interface Refusal {
  /** RFC 6749 section 4.1.2.1, RFC 8707 section 2. */
  readonly erro: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target'
  /** Description for the client: printable ASCII (RFC 6749). */
  readonly descricao: string
}

export type CheckedRequest =
  /** Unknown client, or unregistered redirect URI: no redirect. `frase`: the fault of its document. */
  | { readonly tipo: 'desconhecido'; readonly frase?: string }
  | ({
      readonly tipo: 'recusado'
      readonly cliente: ClientRow
      readonly redirectUri: string
      readonly state: string
    } & Refusal)
  | { readonly tipo: 'valido'; readonly cliente: ClientRow; readonly pedido: AuthorizationRequest }

/**
 * Reads the parameters of a query. `repetidos`: repeated parameters, which RFC 6749 section 3.1 forbids. `resource` may
 * be repeated (RFC 8707 section 2), and equal values count once.
 */
export function readQuery(query: URLSearchParams): { fields: RequestFields; repetidos: readonly Field[] } {
  const values = (name: Field) => [...new Set(query.getAll(name))]
  return {
    fields: Object.fromEntries(requestFields.map((name) => [name, values(name)[0]])),
    repetidos: requestFields.filter((name) => (name === 'resource' ? values(name) : query.getAll(name)).length > 1),
  }
}

/** Parameters of a valid request. */
export const parametersOf = (pedido: AuthorizationRequest): [name: string, value: string][] => [
  ['client_id', pedido.clientId],
  ['redirect_uri', pedido.redirectUri],
  ['code_challenge', pedido.codeChallenge],
  ['state', pedido.state],
  ['scope', pedido.escopo],
  ['resource', pedido.recurso],
]

/**
 * Checks a request. The client and its redirect URI come first, because no error may be sent to an unknown URI. An
 * empty parameter counts as absent (RFC 6749 section 3.1). `response_type` and `code_challenge_method` have the
 * defaults of the interface.
 */
export async function checkAuthorizationRequest(
  deps: { readonly db: Database; readonly clock: Clock; readonly documents: ClientDocuments },
  base: string,
  fields: RequestFields,
  { address, repetidos = [] }: { readonly address: string; readonly repetidos?: readonly Field[] },
): Promise<CheckedRequest> {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state = '' } = fields
  const found = isDocumentId(clientId)
    ? await deps.documents.find(clientId, address)
    : { cliente: await findClient(deps.db, clientId, deps.clock.now()) }
  if ('recusa' in found) return { tipo: 'desconhecido', frase: found.recusa }
  const { cliente } = found
  const unclear = repetidos.includes('client_id') || repetidos.includes('redirect_uri')
  if (!cliente || unclear || !matchesRegistered(JSON.parse(cliente.redirect_uris_json), redirectUri))
    return { tipo: 'desconhecido' }
  const refusal = refusalOf(fields, repetidos, mcpResource(base))
  // A repeated state is ambiguous and is omitted.
  if (refusal)
    return { tipo: 'recusado', cliente, redirectUri, state: repetidos.includes('state') ? '' : state, ...refusal }
  return {
    tipo: 'valido',
    cliente,
    pedido: {
      clientId,
      redirectUri,
      codeChallenge: fields.code_challenge ?? '',
      state,
      escopo: grantedScope(fields.scope ?? ''),
      recurso: mcpResource(base),
    },
  }
}

function refusalOf(fields: RequestFields, repetidos: readonly Field[], recurso: string): Refusal | null {
  if (repetidos.includes('resource')) return { erro: 'invalid_target', descricao: `Only ${recurso} can be asked for.` }
  if (repetidos.length > 0)
    return { erro: 'invalid_request', descricao: `Sent more than once: ${repetidos.join(', ')}.` }
  if ((fields.response_type || 'code') !== 'code')
    return { erro: 'unsupported_response_type', descricao: 'response_type must be code.' }
  if ((fields.code_challenge_method || 'S256') !== 'S256')
    return { erro: 'invalid_request', descricao: 'code_challenge_method must be S256.' }
  // A SHA-256 hash in base64url has 43 characters (RFC 7636 section 4.2).
  if (!/^[A-Za-z0-9_-]{43}$/.test(fields.code_challenge ?? ''))
    return {
      erro: 'invalid_request',
      descricao: 'code_challenge (PKCE, S256) is required: 43 characters of base64url.',
    }
  if (fields.resource && !sameResource(fields.resource, recurso))
    return { erro: 'invalid_target', descricao: `Only ${recurso} can be asked for.` }
  return null
}

/** The requested scope. Unknown scopes are ignored; without a known one the scope is `mcp`. The wider of both wins. */
function grantedScope(scope: string): EscopoOauth {
  const asked = scope.split(' ')
  return asked.includes('mcp:leitura') && !asked.includes('mcp') ? 'mcp:leitura' : 'mcp'
}
