/** Token of `Authorization: Bearer <token>`; null: no header, or another scheme. */
export const bearerToken = (authorization: string | undefined): string | null =>
  /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1] ?? null

/** Address of the metadata with the authorization server (RFC 9728 section 5.1). */
const metadata = (base: string) => `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp", scope="mcp"`

/** @param sent the request had a token, which was rejected (RFC 6750 section 3.1) */
export const unauthorized = (base: string, sent: boolean): Response =>
  Response.json(
    {
      ...(sent && { error: 'invalid_token' }),
      detail: 'Este endereço é para agentes autorizados. Autorize o agente em nome de um login (OAuth 2.1).',
    },
    {
      status: 401,
      headers: { 'www-authenticate': `Bearer ${sent ? 'error="invalid_token", ' : ''}${metadata(base)}` },
    },
  )

/** The login has the right, but the agent was authorized only for reading. */
export const insufficientScope = (base: string): Response =>
  Response.json(
    {
      error: 'insufficient_scope',
      detail: 'Este agente foi autorizado só para ver. Autorize-o outra vez, com permissão para mudar.',
    },
    { status: 403, headers: { 'www-authenticate': `Bearer error="insufficient_scope", ${metadata(base)}` } },
  )
