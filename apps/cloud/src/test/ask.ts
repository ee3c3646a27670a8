import type { RequestBody } from './api-document.ts'

/** Status and JSON body of an answer; of a stream or a picture only that it began. */
export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/**
 * One request as a program would make it: `value` in the form that `body` says, the token as Bearer. A body that is no
 * JSON is not waited for, since a stream of alerts never ends.
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
