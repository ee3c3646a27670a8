import { z } from 'zod'
import { itemValidacaoSchema } from './error-bodies.ts'
import { textoCurto } from './values.ts'

/** Scopes of an agent: all rights of the login, or only reading. */
export const escoposOauth = ['mcp', 'mcp:leitura'] as const
export type EscopoOauth = (typeof escoposOauth)[number]

/** Lifetime of an access token in seconds. */
export const ACESSO_S = 3600

/** Error codes of RFC 6749 section 5.2, RFC 7591 section 3.2.2 and RFC 8707 section 2. */
export const erroOauthSchema = z
  .object({
    error: z
      .string()
      .regex(/^[a-z_]+$/)
      .describe('Código da RFC 6749, 7591 ou 8707.'),
    error_description: z
      .string()
      .regex(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      .describe('Frase que diz o que houve, só com letras ASCII, como a RFC 6749 pede.'),
    detail: z
      .union([z.string().min(1), z.array(itemValidacaoSchema)])
      .optional()
      .describe('O mesmo, na forma dos outros endereços desta interface.'),
    id: z.uuid().optional().describe('Código da falha no registro do servidor.'),
    segundo_fator: z.literal(true).optional().describe('A senha está certa; mande também `codigo`.'),
  })
  .meta({ id: 'ErroOauth' })

/** Other members of RFC 7591 are accepted and not stored. */
export const registroClienteSchema = z
  .object({
    redirect_uris: z
      .array(z.string().min(1).max(2000))
      .min(1)
      .max(10)
      .describe('https, http do próprio computador, ou o esquema próprio de um aplicativo. Sem fragmento nem curinga.'),
    client_name: textoCurto(120).nullish().describe('Como a pessoa verá o programa.'),
  })
  .meta({
    id: 'RegistroCliente',
    examples: [{ redirect_uris: ['https://exemplo.com.br/volta'], client_name: 'Meu agente' }],
  })
export type RegistroCliente = z.infer<typeof registroClienteSchema>

export const clienteRegistradoSchema = z
  .object({
    client_id: z.uuid(),
    client_id_issued_at: z.int().describe('Segundos desde 1970.'),
    client_name: z.string().optional(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
  })
  .meta({ id: 'ClienteRegistrado' })
export type ClienteRegistrado = z.infer<typeof clienteRegistradoSchema>

const campo = (maximo: number) => z.string().max(maximo).optional()

/** Required fields per grant type. */
const required: ReadonlyMap<string, readonly string[]> = new Map([
  ['authorization_code', ['code', 'redirect_uri', 'client_id', 'code_verifier']],
  ['refresh_token', ['refresh_token', 'client_id']],
])

export const trocaTokenSchema = z
  .object({
    grant_type: z.string().min(1).max(200).describe('`authorization_code` ou `refresh_token`.'),
    client_id: campo(200),
    code: campo(500).describe('O código que veio do login.'),
    redirect_uri: campo(2000).describe('A mesma do pedido de autorização.'),
    code_verifier: campo(128).describe('RFC 7636; só S256.'),
    refresh_token: campo(500),
    resource: campo(2000).describe('RFC 8707: o endereço de `/mcp`.'),
    scope: campo(1000).describe('Ao renovar: o mesmo ou menos.'),
    client_secret: campo(1000).describe('Os clientes daqui não têm segredo: fica vazio ou de fora.'),
  })
  .superRefine((form, context) => {
    // A field without a value counts as missing (RFC 6749 section 3.2).
    for (const name of required.get(form.grant_type) ?? [])
      if (!form[name as keyof typeof form])
        context.addIssue({ code: 'custom', path: [name], message: 'Campo obrigatório', params: { type: 'missing' } })
  })
  .meta({
    id: 'TrocaToken',
    examples: [
      {
        grant_type: 'authorization_code',
        code: 'Zt4G8oWn1y0c8b5m3p7Qx2v6k9r4s1d0f8h3j5l7a2e',
        redirect_uri: 'https://exemplo.com.br/volta',
        client_id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
  })
export type TrocaToken = z.infer<typeof trocaTokenSchema>

export const tokensOauthSchema = z
  .object({
    access_token: z.string().describe('JWT (RS256) para `Authorization: Bearer` em `/mcp`.'),
    token_type: z.literal('Bearer'),
    expires_in: z.literal(ACESSO_S).describe('Segundos.'),
    scope: z.enum(escoposOauth),
    refresh_token: z.string().describe('Vale uma vez: cada renovação dá outro. O uso repetido encerra a autorização.'),
  })
  .meta({ id: 'TokensOauth' })
export type TokensOauth = z.infer<typeof tokensOauthSchema>

export const revogacaoSchema = z
  .object({
    token: z.string().min(1).max(8000),
    token_type_hint: campo(200).describe('Não é preciso: o tipo se vê no próprio token.'),
    client_id: z.string().min(1).max(200),
    client_secret: campo(1000),
  })
  .meta({
    id: 'Revogacao',
    examples: [
      {
        token: 'Zt4G8oWn1y0c8b5m3p7Qx2v6k9r4s1d0f8h3j5l7a2e',
        client_id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11',
      },
    ],
  })
export type Revogacao = z.infer<typeof revogacaoSchema>

export const metadadosServidorSchema = z
  .object({
    issuer: z.url(),
    authorization_endpoint: z.url(),
    token_endpoint: z.url(),
    registration_endpoint: z.url(),
    revocation_endpoint: z.url(),
    jwks_uri: z.url(),
    scopes_supported: z.array(z.enum(escoposOauth)),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.literal(true),
    client_id_metadata_document_supported: z.literal(true),
    service_documentation: z.url(),
    ui_locales_supported: z.array(z.string()),
  })
  .meta({ id: 'MetadadosServidor', description: 'RFC 8414.' })
export type MetadadosServidor = z.infer<typeof metadadosServidorSchema>

export const metadadosRecursoSchema = z
  .object({
    resource: z.url(),
    resource_name: z.string(),
    authorization_servers: z.array(z.url()),
    scopes_supported: z.array(z.enum(escoposOauth)),
    bearer_methods_supported: z.array(z.string()),
    resource_documentation: z.url(),
  })
  .meta({ id: 'MetadadosRecurso', description: 'RFC 9728.' })
export type MetadadosRecurso = z.infer<typeof metadadosRecursoSchema>

export const chavesPublicasSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('RSA'),
        n: z.string(),
        e: z.string(),
        kid: z.string(),
        alg: z.literal('RS256'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'ChavesPublicas', description: 'RFC 7517.' })
export type ChavesPublicas = z.infer<typeof chavesPublicasSchema>
