import type { RequestBody } from '../walks/api-document.ts'

/** Status and JSON body of an answer; for a stream or a picture only the status. */
export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/**
 * One request as a program sends it: `value` encoded as `body`, the token as Bearer. Does not read a body other than
 * JSON, because a stream of alertas never ends.
 */
export async function ask(
  url: string,
  method: string,
  token: string | null,
  body: RequestBody | null = null,
  value: unknown = undefined,
): Promise<Asked> {
  const response = await fetch(url, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': body.mediaType }),
    },
    ...(body && { body: encode(body.mediaType, value) }),
  })
  if (response.headers.get('content-type')?.startsWith('application/json'))
    return { status: response.status, headers: response.headers, body: await response.json() }
  await response.body?.cancel()
  return { status: response.status, headers: response.headers, body: null }
}

const encode = (mediaType: string, value: unknown): string =>
  mediaType === 'application/json'
    ? JSON.stringify(value)
    : new URLSearchParams(value as Record<string, string>).toString()
