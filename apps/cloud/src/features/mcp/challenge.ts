/** `Authorization: Bearer <token>`; null: none, or of another kind. */
export const bearerToken = (authorization: string | undefined): string | null =>
  /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1] ?? null

/** Where an agent that was refused learns how to get in (RFC 9728 section 5.1). */
const metadata = (base: string) => `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp", scope="mcp"`

/** @param sent a token came with the request, and was not taken (RFC 6750 section 3.1) */
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

/** The login may do it, the agent was allowed only to see. */
export const insufficientScope = (base: string): Response =>
  Response.json(
    {
      error: 'insufficient_scope',
      detail: 'Este agente foi autorizado só para ver. Autorize-o outra vez, com permissão para mudar.',
    },
    { status: 403, headers: { 'www-authenticate': `Bearer error="insufficient_scope", ${metadata(base)}` } },
  )
